/** Debian's packages without touching the system: downloaded and unpacked into the per-user cache. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder, fetchInto, foldersOnPath } from './cache.js';

export const run = promisify(execFile);

export interface DebianPackage {
  name: string;
  /** What it is wanted for, below the root: it is there when the package is. */
  program: string;
  /** The package and those of its libraries that are not installed. @param options for apt, before its command */
  wanted: (options: string[]) => Promise<string[]>;
  /** The release that it is taken from, where that of the machine's own lists will not do. */
  release?: string;
}

/** Where a program and its libraries are. */
export interface Unpacked {
  command: string;
  /** What would be `/` if it were installed. */
  root: string;
  /** The folders of libraries that came with it, as LD_LIBRARY_PATH has them, where there are any. */
  libraries?: string;
}

/** @returns the program, unpacked now unless it was before. @throws Error of apt or dpkg */
export async function unpackedPackage(wanted: DebianPackage, say: (line: string) => void): Promise<Unpacked> {
  const cache = cacheFolder(wanted.name);
  if (!existsSync(path.join(cache, wanted.program))) await unpack(wanted, cache, say);
  const libraries = await librariesIn(cache);
  return { command: path.join(cache, wanted.program), root: cache, ...(libraries ? { libraries } : {}) };
}

/** A program of one of these names on the PATH or in the other folders. */
export function findInstalled(names: string[], others: string[] = []): string | undefined {
  return [...foldersOnPath(), ...others]
    .flatMap((folder) => names.map((name) => path.join(folder, name)))
    .find(existsSync);
}

async function unpack(wanted: DebianPackage, cache: string, say: (line: string) => void): Promise<void> {
  say(`${wanted.name}: not installed. Unpacking Debian's package into ${cache} …`);
  const isThere = () => existsSync(path.join(cache, wanted.program));
  await fetchInto(cache, isThere, async (workshop) => {
    const root = path.join(workshop, 'root');
    const packages = await download(wanted, workshop);
    for (const name of (await readdir(packages)).filter((file) => file.endsWith('.deb')))
      await run('dpkg', ['-x', path.join(packages, name), root]);
    return root;
  });
}

/** @returns the folder that holds the packages */
async function download({ wanted, release }: DebianPackage, workshop: string): Promise<string> {
  const target = path.join(workshop, 'packages');
  await mkdir(target);
  const fetchWith = async (options: string[]) => {
    await run('apt-get', [...options, '-q', 'download', ...(await wanted(options))], { cwd: target });
  };
  try {
    if (release) throw new Error('The machine has no lists of that release.');
    await fetchWith([]);
  } catch {
    // No package lists yet, or old ones: lists of our own need nobody's permission.
    const own = [...(await ownLists(workshop)), ...(release ? await sourcesOf(release, workshop) : [])];
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

/** The mirror that the machine uses, for another release. */
async function sourcesOf(release: string, workshop: string): Promise<string[]> {
  const { stdout } = await run('apt-get', ['indextargets', '--format', '$(REPO_URI)']);
  const mirror = stdout.split('\n').find((uri) => /\/debian\/?$/.test(uri)) ?? 'http://deb.debian.org/debian';
  const list = path.join(workshop, 'sources.list');
  await writeFile(list, `deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] ${mirror} ${release} main\n`);
  return ['-o', `Dir::Etc::SourceList=${list}`, '-o', 'Dir::Etc::SourceParts=/dev/null'];
}

/** @returns where the loader is to look, undefined when all libraries were installed */
async function librariesIn(root: string): Promise<string | undefined> {
  const folders = await Promise.all([path.join(root, 'usr', 'lib'), path.join(root, 'lib')].map(libraryFolders));
  return folders.flat().join(path.delimiter) || undefined;
}

/** Debian keeps libraries in a folder named for the architecture; some packages have one of their own in there. */
async function libraryFolders(lib: string): Promise<string[]> {
  const names = await readdir(lib).catch(() => []);
  return names
    .filter((name) => /-linux-gnu/.test(name))
    .flatMap((name) => ['', 'pulseaudio', 'nss'].map((own) => path.join(lib, name, own)))
    .filter(existsSync);
}
