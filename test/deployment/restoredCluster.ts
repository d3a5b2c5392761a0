/** The scripts of backup and restore, run as operators run them: one database here, and a separate cluster for the restored one. */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../development/stack/ports.js';
import { postgresProgram, prepareCluster } from '../../development/stack/postgres.js';
import { launch, stop, untilReady } from '../../development/stack/program.js';
import { roleOf, withClient } from '../../development/stack/roles.js';
import { findPostgresTools } from '../../development/stack/findPostgresTools.js';

const PASSWORD = 'a-password-of-this-test';
const run = promisify(execFile);
const { database } = roleOf(process.env['DATABASE_URL'] as string);
/** The role that roles.sh would have created in the tests' own cluster. */
const BACKUP_ROLE = `${database}_backup`;

/** A secret in a file, as the scripts require it. */
function fileOf(folder: string, name: string): string {
  const file = path.join(folder, name);
  writeFileSync(file, PASSWORD);
  return file;
}

async function inShell(script: string, args: string[], env: NodeJS.ProcessEnv): Promise<string> {
  const tools = await findPostgresTools((line) => console.error(line));
  const PATH = `${tools}${path.delimiter}${process.env['PATH'] ?? ''}`;
  const { stdout } = await run('sh', [path.resolve('docker', script), ...args], { env: { PATH, ...env } });
  return stdout.trim();
}

/** Dumps this test's database into the folder. @returns the file */
export async function backUp(superuserUrl: string, folder: string): Promise<string> {
  await withClient(superuserUrl, async (client) => {
    const known = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [BACKUP_ROLE]);
    if (known.rowCount) return;
    await client.query(`CREATE ROLE ${BACKUP_ROLE} LOGIN NOSUPERUSER BYPASSRLS PASSWORD '${PASSWORD}'`);
    await client.query(`GRANT pg_read_all_data TO ${BACKUP_ROLE}`);
    await client.query(`ALTER ROLE ${BACKUP_ROLE} SET default_transaction_read_only = on`);
  });
  return inShell('backup.sh', [], {
    BACKUP_FOLDER: folder,
    BACKUP_PASSWORD_FILE: fileOf(folder, 'backup'),
    BACKUP_ROLE,
    POSTGRES_HOST: '127.0.0.1',
    POSTGRES_PORT: new URL(superuserUrl).port,
    POSTGRES_DB: database,
  });
}

export const forgetBackupRole = (superuserUrl: string) =>
  withClient(superuserUrl, (client) => client.query(`DROP ROLE IF EXISTS ${BACKUP_ROLE}`));

export interface RestoredCluster {
  /** A connection string for one of the roles that roles.sh created. */
  url(role: string): string;
  close(): Promise<void>;
}

/** A new cluster, with the roles of a deployment and the restored dump. */
export async function restoreInto(folder: string, dump: string): Promise<RestoredCluster> {
  const cluster = await prepareCluster(path.join(folder, 'cluster'), await freePort());
  const server = await launch(postgresProgram(cluster, { fsync: 'off' }), folder);
  await untilReady(server);
  const where = { PGHOST: '127.0.0.1', PGPORT: String(cluster.port), PGPASSWORD: cluster.password };
  const roles = ['OWNER', 'RUNTIME', 'BACKUP', 'TEMPORAL'];
  const files = Object.fromEntries(roles.map((role) => [`${role}_PASSWORD_FILE`, fileOf(folder, role)]));
  await inShell('roles.sh', [], { ...where, ...files });
  await inShell('restore.sh', [dump], where);
  return {
    url: (role) => `postgres://${role}:${PASSWORD}@127.0.0.1:${cluster.port}/membership`,
    close: () => stop(server, 5),
  };
}

/** The number of rows of each table. */
export async function rowCounts(url: string): Promise<Record<string, number>> {
  return withClient(url, async (client) => {
    const { rows: tables } = await client.query<{ name: string }>(
      `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`,
    );
    const counts: [string, number][] = [];
    for (const { name } of tables)
      counts.push([
        name,
        (await client.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${name}`)).rows[0]?.n ?? -1,
      ]);
    return Object.fromEntries(counts);
  });
}
