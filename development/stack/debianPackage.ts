/** Downloads Debian packages and unpacks them into the per-user cache, without installing anything. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder, fetchInto, foldersOnPath } from './cache.js';

export const run = promisify(execFile);

export interface DebianPackage {
  name: string;
  /** Path of the needed program inside the unpacked package. The package counts as unpacked when this file exists. */
  program: string;
  /**
   * Returns the names of the packages to download: the package itself, and the libraries that this machine does not
   * have.
   * @param options for apt, placed before its command
   */
  wanted: (options: string[]) => Promise<string[]>;
  /** Debian release to take the package from, when the machine's own package lists do not have it. */
  release?: string;
}

/** An unpacked program and its libraries. */
export interface Unpacked {
  command: string;
  /** The folder that the package was unpacked into; it takes the place of `/`. */
  root: string;
  /** The package's library folders in the format of LD_LIBRARY_PATH; absent when there are none. */
  libraries?: string;
}

/** Returns the program, and unpacks it first if needed. @throws Error of apt or dpkg */
export async function unpackedPackage(wanted: DebianPackage, say: (line: string) => void): Promise<Unpacked> {
  const cache = cacheFolder(wanted.name);
  if (!existsSync(path.join(cache, wanted.program))) await unpack(wanted, cache, say);
  const libraries = await librariesIn(cache);
  return { command: path.join(cache, wanted.program), root: cache, ...(libraries ? { libraries } : {}) };
}

/** Finds a program with one of these names on the PATH or in the other folders. */
export function findInstalled(names: string[], others: string[] = []): string | undefined {
  return [...foldersOnPath(), ...others]
    .flatMap((folder) => names.map((name) => path.join(folder, name)))
    .find(existsSync);
}

async function unpack(wanted: DebianPackage, cache: string, say: (line: string) => void): Promise<void> {
  say(`${wanted.name}: not installed. Unpacking Debian's package into ${cache} …`);
  const isThere = () => existsSync(path.join(cache, wanted.program));
  await fetchInto(cache, isThere, async (temporaryFolder) => {
    const root = path.join(temporaryFolder, 'root');
    const packages = await download(wanted, temporaryFolder);
    for (const name of (await readdir(packages)).filter((file) => file.endsWith('.deb')))
      await run('dpkg', ['-x', path.join(packages, name), root]);
    return root;
  });
}

/**
 * Downloads the package and its missing libraries.
 * @returns the folder with the downloaded packages
 */
async function download({ wanted, release }: DebianPackage, temporaryFolder: string): Promise<string> {
  const target = path.join(temporaryFolder, 'packages');
  await mkdir(target);
  const fetchWith = async (options: string[]) => {
    await run('apt-get', [...options, '-q', 'download', ...(await wanted(options))], { cwd: target });
  };
  try {
    if (release) throw new Error('The machine has no package lists of that release.');
    await fetchWith([]);
  } catch {
    // The machine's package lists are missing or outdated. Download separate lists, which needs no root permission.
    const own = [...(await ownLists(temporaryFolder)), ...(release ? await sourcesOf(release, temporaryFolder) : [])];
    await run('apt-get', [...own, '-q', 'update']);
    await fetchWith(own);
  }
  return target;
}

async function ownLists(temporaryFolder: string): Promise<string[]> {
  const [lists, cache] = [path.join(temporaryFolder, 'lists'), path.join(temporaryFolder, 'cache')];
  await mkdir(path.join(lists, 'partial'), { recursive: true });
  await mkdir(path.join(cache, 'archives', 'partial'), { recursive: true });
  return ['-o', `Dir::State::Lists=${lists}`, '-o', `Dir::Cache=${cache}`, '-o', 'APT::Sandbox::User='];
}

/**
 * Writes an apt sources list for another Debian release, on the mirror that this machine uses.
 * @returns the options that make apt use the list
 */
async function sourcesOf(release: string, temporaryFolder: string): Promise<string[]> {
  const { stdout } = await run('apt-get', ['indextargets', '--format', '$(REPO_URI)']);
  const mirror = stdout.split('\n').find((uri) => /\/debian\/?$/.test(uri)) ?? 'http://deb.debian.org/debian';
  const list = path.join(temporaryFolder, 'sources.list');
  await writeFile(list, `deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] ${mirror} ${release} main\n`);
  return ['-o', `Dir::Etc::SourceList=${list}`, '-o', 'Dir::Etc::SourceParts=/dev/null'];
}

/**
 * Returns the search path for the dynamic loader; undefined when the package has no library folders, because all
 * libraries are installed.
 */
async function librariesIn(root: string): Promise<string | undefined> {
  const folders = await Promise.all([path.join(root, 'usr', 'lib'), path.join(root, 'lib')].map(libraryFolders));
  return folders.flat().join(path.delimiter) || undefined;
}

/**
 * Lists the folders that contain libraries. Debian has one folder for each architecture, and some packages add a folder
 * inside it.
 */
async function libraryFolders(lib: string): Promise<string[]> {
  const names = await readdir(lib).catch(() => []);
  return names
    .filter((name) => /-linux-gnu/.test(name))
    .flatMap((name) => ['', 'pulseaudio', 'nss'].map((own) => path.join(lib, name, own)))
    .filter(existsSync);
}
