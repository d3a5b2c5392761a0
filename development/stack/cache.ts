/** What is fetched once a user, so that a second checkout does not fetch it again. */
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

/** The per-user folder of something that was fetched; it need not be there. */
export function cacheFolder(name: string): string {
  const base = process.env['XDG_CACHE_HOME'] || path.join(os.homedir(), '.cache');
  return path.join(base, 'chapter-membership-platform', name);
}

/** The folders that programs are looked for in. */
export const foldersOnPath = (): string[] => (process.env['PATH'] ?? '').split(path.delimiter).filter(Boolean);

/**
 * Makes a folder beside its place and moves it there, so that half of it is never taken for the whole.
 * @param isThere whether somebody else was faster
 * @param make makes the folder, in a workshop that is thrown away afterwards. @returns it
 */
export async function fetchInto(
  cache: string,
  isThere: () => boolean,
  make: (workshop: string) => Promise<string>,
): Promise<void> {
  await mkdir(path.dirname(cache), { recursive: true });
  const workshop = await mkdtemp(path.join(path.dirname(cache), 'unpacking-'));
  try {
    await rename(await make(workshop), cache).catch((error: Error) => {
      if (!isThere()) throw error;
    });
  } finally {
    await rm(workshop, { recursive: true, force: true });
  }
}
