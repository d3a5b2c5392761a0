/** Where pgbouncer comes from: what is installed, else Debian's package unpacked into the per-user cache. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

export interface Pgbouncer {
  command: string;
  /** The folder of libraries that came with it, where it is not installed. */
  libraries?: string;
}

const run = promisify(execFile);
const PROGRAM = path.join('usr', 'sbin', 'pgbouncer');

function cacheDirectory(): string {
  const base = process.env['XDG_CACHE_HOME'] || path.join(os.homedir(), '.cache');
  return path.join(base, 'chapter-membership-platform', 'pgbouncer');
}

/**
 * Finds pgbouncer, or gets it without touching the system.
 * @throws Error that tells how to install it by hand
 */
export async function findPgbouncer(say: (line: string) => void): Promise<Pgbouncer> {
  const folders = [...(process.env['PATH'] ?? '').split(path.delimiter), '/usr/sbin', '/usr/local/sbin'];
  const installed = folders
    .filter(Boolean)
    .map((folder) => path.join(folder, 'pgbouncer'))
    .find(existsSync);
  if (installed) return { command: installed };
  const cache = cacheDirectory();
  try {
    if (!existsSync(path.join(cache, PROGRAM))) await unpackDebianPackage(cache, say);
    const libraries = await librariesIn(cache);
    return { command: path.join(cache, PROGRAM), ...(libraries ? { libraries } : {}) };
  } catch (error) {
    throw new Error(
      [
        `pgbouncer was not found, and getting Debian's package failed: ${(error as Error).message.trim()}`,
        'Install it so that it is on the PATH: apt-get install pgbouncer, dnf install pgbouncer, brew install pgbouncer.',
      ].join('\n'),
      { cause: error },
    );
  }
}

/** Unpacked beside its place and moved there, so that half of it is never taken for the whole. */
async function unpackDebianPackage(cache: string, say: (line: string) => void): Promise<void> {
  say(`pgbouncer: not installed. Unpacking Debian's package into ${cache} …`);
  await mkdir(path.dirname(cache), { recursive: true });
  const workshop = await mkdtemp(path.join(path.dirname(cache), 'unpacking-'));
  try {
    const root = path.join(workshop, 'root');
    const apt = await download(workshop);
    for (const name of (await readdir(apt)).filter((file) => file.endsWith('.deb')))
      await run('dpkg', ['-x', path.join(apt, name), root]);
    // Somebody else may have been faster.
    await rename(root, cache).catch((error: Error) => {
      if (!existsSync(path.join(cache, PROGRAM))) throw error;
    });
  } finally {
    await rm(workshop, { recursive: true, force: true });
  }
}

/** @returns the folder that holds pgbouncer's package and those of its libraries that are not installed */
async function download(workshop: string): Promise<string> {
  const target = path.join(workshop, 'packages');
  await mkdir(target);
  const fetchWith = async (options: string[]) => {
    const { stdout } = await run('apt-cache', [...options, 'depends', '--no-suggests', '--no-enhances', 'pgbouncer']);
    const libraries = [...stdout.matchAll(/^ *\|?Depends: (lib[^\s<]+)$/gm)].map(([, name]) => name as string);
    const wanted = ['pgbouncer', ...(await missing(libraries))];
    await run('apt-get', [...options, '-q', 'download', ...wanted], { cwd: target });
  };
  try {
    await fetchWith([]);
  } catch {
    // No package lists yet, or old ones: lists of our own need nobody's permission.
    const own = await ownLists(workshop);
    await run('apt-get', [...own, '-q', 'update']);
    await fetchWith(own);
  }
  return target;
}

async function ownLists(workshop: string): Promise<string[]> {
  const [lists, cache] = [path.join(workshop, 'lists'), path.join(workshop, 'cache')];
  await mkdir(path.join(lists, 'partial'), { recursive: true });
  await mkdir(path.join(cache, 'archives', 'partial'), { recursive: true });
  return ['-o', `Dir::State::Lists=${lists}`, '-o', `Dir::Cache=${cache}`, '-o', 'APT::Sandbox::User='];
}

async function missing(packages: string[]): Promise<string[]> {
  const states = await Promise.all(
    packages.map((name) =>
      run('dpkg-query', ['-W', '-f', '${Status}', name]).then(
        ({ stdout }) => stdout.includes('install ok installed'),
        () => false,
      ),
    ),
  );
  return packages.filter((_, index) => !states[index]);
}

/** Debian keeps libraries in a folder named for the architecture. @returns undefined when all of them were installed */
async function librariesIn(root: string): Promise<string | undefined> {
  const lib = path.join(root, 'usr', 'lib');
  const folders = await readdir(lib).catch(() => []);
  const architecture = folders.find((name) => /-linux-gnu/.test(name));
  return architecture && path.join(lib, architecture);
}
