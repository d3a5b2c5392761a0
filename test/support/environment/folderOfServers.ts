/** The folder for the files of the tests' servers: in memory, where there is enough. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** Linux has it; in containers it is often small. */
const IN_MEMORY = '/dev/shm';
const ROOM = 4 * 1024 ** 3;
const NAME = 'membership-tests-';

/**
 * Each test file creates and deletes a copy of fifteen hundred files. In memory that is cheap; the file system of a disk remembers
 * deleted entries for a while, and skips them for each new one.
 * @returns a new folder
 */
export function folderOfServers(memory = IN_MEMORY, room = ROOM): string {
  if (!existsSync(memory)) return mkdtempSync(path.join(os.tmpdir(), NAME));
  for (const name of readdirSync(memory).filter((one) => one.startsWith(NAME)))
    if (wasKilled(path.join(memory, name))) rmSync(path.join(memory, name), { recursive: true, force: true });
  const { bavail, bsize } = statfsSync(memory);
  return mkdtempSync(path.join(bavail * bsize >= room ? memory : os.tmpdir(), NAME));
}

/** Whether a Postgres that could not clean up ran there: its leftovers would fill the memory. */
function wasKilled(directory: string): boolean {
  const file = path.join(directory, 'postgres/data/postmaster.pid');
  if (!existsSync(file)) return false;
  try {
    process.kill(Number.parseInt(readFileSync(file, 'utf8'), 10), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
