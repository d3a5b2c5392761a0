/** The migrated database that each test file copies. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Client } from 'pg';
import { databaseUrl, OWNER, RUNTIME } from './facts.js';

const MIGRATE = path.resolve(__dirname, '../../../models/database/migrate.ts');
const KEPT_TEMPLATES = 8;
const LEFTOVER_MINUTES = 120;

type Migrate = { migrateUp: (ownerUrl: string, runtimeUrl: string) => Promise<unknown> };

/** @returns the name of a database with today's migrations, created now if there was none */
export async function ensureTemplate(superuser: Client, port: number, digest: string): Promise<string> {
  const name = `membership_template_${digest}`;
  const known = await superuser.query('SELECT FROM pg_database WHERE datname = $1', [name]);
  if (known.rowCount) return name;
  const unfinished = `${name}_unfinished`;
  await superuser.query(`DROP DATABASE IF EXISTS ${unfinished} WITH (FORCE)`);
  await superuser.query(`CREATE DATABASE ${unfinished} OWNER ${OWNER.name}`);
  await migrate(databaseUrl(port, OWNER, unfinished), databaseUrl(port, RUNTIME, unfinished));
  // Connections are refused: a template with connections cannot be copied.
  await superuser.query(`ALTER DATABASE ${unfinished} ALLOW_CONNECTIONS false`);
  await superuser.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [unfinished]);
  await superuser.query(`ALTER DATABASE ${unfinished} RENAME TO ${name}`);
  await removeOldTemplates(superuser);
  return name;
}

async function migrate(ownerUrl: string, runtimeUrl: string): Promise<void> {
  if (!existsSync(MIGRATE)) {
    console.error('There are no migrations yet: tests get an empty database.');
    return;
  }
  const { migrateUp } = (await import(MIGRATE)) as Migrate;
  await migrateUp(ownerUrl, runtimeUrl);
}

async function removeOldTemplates(superuser: Client): Promise<void> {
  const templates = await superuser.query<{ datname: string }>(
    `SELECT datname FROM pg_database WHERE datname LIKE 'membership\\_template\\_%' ORDER BY oid DESC OFFSET $1`,
    [KEPT_TEMPLATES],
  );
  for (const { datname } of templates.rows) await superuser.query(`DROP DATABASE IF EXISTS ${datname}`);
}

/** Drops the databases of killed runs; their names begin with the minute of their creation. */
export async function removeLeftovers(superuser: Client): Promise<void> {
  const databases = await superuser.query<{ datname: string }>(
    `SELECT datname FROM pg_database WHERE datname ~ '^t_[0-9]+_'`,
  );
  const oldest = Math.floor(Date.now() / 60_000) - LEFTOVER_MINUTES;
  for (const { datname } of databases.rows)
    if (Number(datname.split('_')[1]) < oldest)
      await superuser.query(`DROP DATABASE IF EXISTS ${datname} WITH (FORCE)`);
}
