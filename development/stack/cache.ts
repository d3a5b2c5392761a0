/** The per-user cache of downloaded programs, so that a second checkout does not download them again. */
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

/** Returns the per-user folder of a downloaded program. The folder may not exist. */
export function cacheFolder(name: string): string {
  const base = process.env['XDG_CACHE_HOME'] || path.join(os.homedir(), '.cache');
  return path.join(base, 'chapter-membership-platform', name);
}

/** Lists the folders of the PATH. */
export const foldersOnPath = (): string[] => (process.env['PATH'] ?? '').split(path.delimiter).filter(Boolean);

/**
 * Makes a folder in a temporary place and moves it into the cache, so that a half-made folder is never used.
 * @param isThere reports whether another process was faster
 * @param make makes the folder inside a temporary folder that is deleted afterwards, and returns its path
 */
export async function fetchInto(
  cache: string,
  isThere: () => boolean,
  make: (temporaryFolder: string) => Promise<string>,
): Promise<void> {
  await mkdir(path.dirname(cache), { recursive: true });
  const temporaryFolder = await mkdtemp(path.join(path.dirname(cache), 'unpacking-'));
  try {
    await rename(await make(temporaryFolder), cache).catch((error: Error) => {
      if (!isThere()) throw error;
    });
  } finally {
    await rm(temporaryFolder, { recursive: true, force: true });
  }
}
