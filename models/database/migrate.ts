/**
 * Applies migrations, which run once, and definitions, which run again whenever they change. Runs as the database
 * owner, under an advisory lock.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Client, escapeIdentifier, escapeLiteral } from 'pg';
import { roleOf } from './roles.js';
import { checksum, type Definition, definitions, migrations, type NamedMigration } from './schemaFiles.js';

/** The schema that a database should have. */
export interface Schema {
  /** All migrations, the oldest first. */
  migrations: readonly NamedMigration[];
  /** Definitions in the order in which they are applied. */
  definitions: readonly Definition[];
}

/** Returns the schema that belongs to this code. */
export const ownSchema = (): Schema => ({ migrations: migrations(), definitions: definitions() });

const ADVISORY_LOCK_ID = 7_300_001;
/**
 * Tables that record the applied migrations, and the applied definitions per runtime role. The newest row of a name is
 * the current one.
 */
const LEDGERS = `
  CREATE TABLE IF NOT EXISTS schema_migrations (name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now());
  CREATE TABLE IF NOT EXISTS schema_definitions (
    name text NOT NULL,
    checksum text NOT NULL,
    runtime text NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (name, checksum)
  );`;

/** Applies pending migrations, each in its own transaction, then all changed definitions in one. */
export const migrateUp = (ownerUrl: string, runtimeUrl: string, schema = ownSchema()): Promise<string[]> =>
  withMigrationLock(ownerUrl, async (client) => {
    const pending = await pendingMigrations(client, schema);
    for (const migration of pending) await applyMigration(client, migration);
    const runtime = roleOf(runtimeUrl);
    const changed = await changedDefinitions(client, schema, runtime);
    if (pending.length + changed.length > 0) await applyDefinitions(client, changed, runtime);
    return [...pending, ...changed].map(({ name }) => name);
  });

/** Reverts the newest migration, or all. Definitions are not reverted; the next `up` applies all of them again. */
export const migrateDown = (
  ownerUrl: string,
  runtimeUrl: string,
  all = false,
  schema = ownSchema(),
): Promise<string[]> =>
  withMigrationLock(ownerUrl, async (client) => {
    const applied = await appliedMigrations(client);
    const newestFirst = schema.migrations.filter(({ name }) => applied.includes(name)).toReversed();
    const reverted = all ? newestFirst : newestFirst.slice(0, 1);
    for (const migration of reverted) await revertMigration(client, migration);
    return reverted.map(({ name }) => name);
  });

/** Names of applied migrations, and of pending migrations and definitions. */
export const migrationStatus = (ownerUrl: string, runtimeUrl: string, schema = ownSchema()) =>
  withMigrationLock(ownerUrl, async (client) => ({
    applied: await appliedMigrations(client),
    pending: [
      ...(await pendingMigrations(client, schema)),
      ...(await changedDefinitions(client, schema, roleOf(runtimeUrl))),
    ].map(({ name }) => name),
  }));

async function withMigrationLock<T>(ownerUrl: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [ADVISORY_LOCK_ID]);
    await client.query(LEDGERS);
    return await work(client);
  } finally {
    await client.end();
  }
}

async function appliedMigrations(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>('SELECT name FROM schema_migrations ORDER BY name');
  return rows.map(({ name }) => name);
}

/**
 * Returns the migrations that are not applied yet. The database may also have migrations of a later release, which are
 * newer than all migrations of this code.
 * @throws Error if the database has older migrations that this code does not know
 */
async function pendingMigrations(client: Client, { migrations }: Schema): Promise<NamedMigration[]> {
  const applied = await appliedMigrations(client);
  const newest = migrations.at(-1)?.name ?? '';
  const unknownMigration = applied.find(
    (name) => name < newest && !migrations.some((migration) => migration.name === name),
  );
  if (unknownMigration)
    throw new Error(
      `This database has migrations that this code does not know (${unknownMigration}). Recreate it, or use another database.`,
    );
  return migrations.filter(({ name }) => !applied.includes(name));
}

async function changedDefinitions(client: Client, { definitions }: Schema, runtime: string): Promise<Definition[]> {
  const { rows } = await client.query<{ name: string; checksum: string; runtime: string }>(
    'SELECT DISTINCT ON (name) name, checksum, runtime FROM schema_definitions ORDER BY name, applied_at DESC',
  );
  const applied = new Map(rows.filter((row) => row.runtime === runtime).map((row) => [row.name, row.checksum]));
  return definitions.filter((definition) => applied.get(definition.name) !== checksum(definition));
}

const applyMigration = (client: Client, { name, load }: NamedMigration): Promise<void> =>
  inOneTransaction(client, async () => {
    await (await load()).up({
      run: async (sql) => void (await client.query(sql)),
      runFiles: async (folder, names) => {
        for (const file of names)
          await client.query(await readFile(path.join(folder, 'baseline', `${file}.sql`), 'utf8'));
      },
    });
    await client.query('INSERT INTO schema_migrations (name) VALUES ($1)', [name]);
  });

const revertMigration = (client: Client, { name, load }: NamedMigration): Promise<void> =>
  inOneTransaction(client, async () => {
    await (await load()).down({ run: async (sql) => void (await client.query(sql)) });
    await client.query('DELETE FROM schema_migrations WHERE name = $1', [name]);
    await client.query('DELETE FROM schema_definitions');
  });

/**
 * SQL that recreates each function with its body checked. This finds functions that refer to something that a migration
 * removed.
 */
const CHECK_FUNCTIONS = `
  SET LOCAL check_function_bodies = on;
  DO $$ DECLARE definition text; BEGIN
    FOR definition IN SELECT pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = 'app'::regnamespace LOOP
      EXECUTE definition;
    END LOOP;
  END $$;`;

const applyDefinitions = (client: Client, changed: readonly Definition[], runtime: string): Promise<void> =>
  inOneTransaction(client, async () => {
    // Turned off while functions are created, because a function may call one that is created later.
    await client.query('SET LOCAL check_function_bodies = off');
    for (const { name, sql } of changed)
      await client.query(withRuntime(sql, runtime)).catch((error: Error) => {
        throw new Error(`${name}: ${error.message}`, { cause: error });
      });
    await client.query(
      `INSERT INTO schema_definitions (name, checksum, runtime) SELECT *, $3 FROM unnest($1::text[], $2::text[])
       ON CONFLICT (name, checksum) DO UPDATE SET runtime = excluded.runtime, applied_at = now()`,
      [changed.map(({ name }) => name), changed.map(checksum), runtime],
    );
    await client.query(CHECK_FUNCTIONS);
  });

const withRuntime = (sql: string, role: string): string =>
  sql.replaceAll(':"runtime"', () => escapeIdentifier(role)).replaceAll(":'runtime'", () => escapeLiteral(role));

async function inOneTransaction(client: Client, work: () => Promise<void>): Promise<void> {
  await client.query('BEGIN');
  try {
    await work();
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
}
