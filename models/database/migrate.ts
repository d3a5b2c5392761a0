/** Migrations: run as the owner, one at a time, under an advisory lock. */
import { Client } from 'pg';
import { Umzug } from 'umzug';
import { MIGRATIONS } from './migrationNames.js';
import { roleOf } from './roles.js';

/** What a migration gets. */
export interface MigrationContext {
  /** Runs SQL as the owner, in the migration's own transaction. */
  run: (sql: string) => Promise<void>;
  /** The quoted name of the role that the API and the worker use. */
  runtime: string;
}

export interface Migration {
  up(context: MigrationContext): Promise<void>;
  down(context: MigrationContext): Promise<void>;
}

const LOCK = 7_300_001;
const LEDGER =
  'CREATE TABLE IF NOT EXISTS schema_migrations (name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())';

/** Applies what is pending. @param runtimeUrl whose user gets the runtime's grants */
export const migrateUp = (ownerUrl: string, runtimeUrl: string): Promise<string[]> =>
  withMigrations(ownerUrl, runtimeUrl, async (umzug) => (await umzug.up()).map(({ name }) => name));

/** Reverts the newest migration, or all of them. */
export const migrateDown = (ownerUrl: string, runtimeUrl: string, all = false): Promise<string[]> =>
  withMigrations(ownerUrl, runtimeUrl, async (umzug) =>
    (await umzug.down(all ? { to: 0 } : {})).map(({ name }) => name),
  );

/** Names of applied and pending migrations, oldest first. */
export const migrationStatus = (ownerUrl: string, runtimeUrl: string) =>
  withMigrations(ownerUrl, runtimeUrl, async (umzug) => ({
    applied: (await umzug.executed()).map(({ name }) => name),
    pending: (await umzug.pending()).map(({ name }) => name),
  }));

async function withMigrations<T>(
  ownerUrl: string,
  runtimeUrl: string,
  work: (umzug: Umzug<MigrationContext>) => Promise<T>,
) {
  const client = new Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [LOCK]);
    await client.query(LEDGER);
    // Readiness compares this ledger with the migrations that the code comes with.
    await client.query(`GRANT SELECT ON schema_migrations TO ${client.escapeIdentifier(roleOf(runtimeUrl))}`);
    return await work(umzugOn(client, runtimeUrl));
  } finally {
    await client.end();
  }
}

function umzugOn(client: Client, runtimeUrl: string): Umzug<MigrationContext> {
  const context: MigrationContext = {
    run: async (sql) => void (await client.query(sql)),
    runtime: client.escapeIdentifier(roleOf(runtimeUrl)),
  };
  return new Umzug<MigrationContext>({
    migrations: {
      glob: ['[0-9]*.{ts,js}', { cwd: MIGRATIONS, ignore: '*.d.ts' }],
      resolve: ({ name, path: file, context: given }) => ({
        name: name.replace(/\.[jt]s$/, ''),
        up: () => inOneTransaction(client, file, (migration) => migration.up(given)),
        down: () => inOneTransaction(client, file, (migration) => migration.down(given)),
      }),
    },
    context,
    storage: {
      logMigration: async ({ name }) =>
        void (await client.query('INSERT INTO schema_migrations (name) VALUES ($1)', [name])),
      unlogMigration: async ({ name }) =>
        void (await client.query('DELETE FROM schema_migrations WHERE name = $1', [name])),
      executed: async () =>
        (await client.query<{ name: string }>('SELECT name FROM schema_migrations ORDER BY name')).rows.map(
          ({ name }) => name,
        ),
    },
    logger: undefined,
  });
}

async function inOneTransaction(
  client: Client,
  file: string | undefined,
  work: (migration: Migration) => Promise<void>,
) {
  const migration = (await import(file as string)) as Migration;
  await client.query('BEGIN');
  try {
    await work(migration);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
}
