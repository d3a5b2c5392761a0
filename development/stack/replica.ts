/**
 * Runs a replica of a Postgres server that was started here. It begins with a base backup of the running primary, and
 * then receives all changes from it.
 */
import { execFile } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { findPostgresTools } from './findPostgresTools.js';
import { type Cluster, dataDirectory } from './postgres.js';
import { asServerUser, serverUser } from './serverUser.js';

/**
 * Settings of the primary: the amount of WAL that is kept for a disconnected replica. A replica that missed more must
 * be copied again.
 */
export const PRIMARY_SETTINGS = { wal_keep_size: '256MB' };

/**
 * Copies the running primary into the folder, unless the folder already contains a complete copy.
 * @returns how to reach the replica when it runs on this port
 */
export async function prepareReplica(
  primary: Cluster,
  directory: string,
  port: number,
  say: (line: string) => void,
): Promise<Cluster> {
  const replica = { ...primary, directory: path.resolve(directory), port };
  const data = dataDirectory(replica.directory);
  // This file tells the server that it is a standby. It is created last, so its existence shows that the copy is
  // complete.
  const signal = path.join(data, 'standby.signal');
  const isThere = existsSync(signal);
  if (!isThere) await copy(primary, replica.directory, say);
  // Write the primary's address at each start, because it may have changed.
  const primaryIs = `host=127.0.0.1 port=${primary.port} user=postgres password=${primary.password}`;
  writeFileSync(path.join(data, 'postgresql.auto.conf'), `primary_conninfo = '${primaryIs}'\n`);
  if (!isThere) {
    writeFileSync(signal, '');
    chownToServerUser(signal);
  }
  return replica;
}

async function copy(primary: Cluster, directory: string, say: (line: string) => void): Promise<void> {
  const data = dataDirectory(directory);
  rmSync(data, { recursive: true, force: true });
  mkdirSync(data, { recursive: true, mode: 0o700 });
  chownToServerUser(data);
  const program = path.join(await findPostgresTools(say), 'pg_basebackup');
  const from = ['--host=127.0.0.1', `--port=${primary.port}`, '--username=postgres', '--no-password'];
  const how = ['--checkpoint=fast', '--wal-method=stream', '--no-sync', `--pgdata=${data}`];
  const { command, args, user } = asServerUser(program, [...from, ...how], serverUser(), [
    path.dirname(program),
    directory,
  ]);
  await promisify(execFile)(command, args, {
    ...user,
    env: { ...process.env, PGPASSWORD: primary.password, LC_ALL: 'C' },
  });
}

function chownToServerUser(file: string): void {
  const user = serverUser();
  if (user) chownSync(file, user.uid, user.gid);
}
