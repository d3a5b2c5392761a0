/** Build lock: creating a folder is atomic, so only one process holds it. */
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Runs the work while holding the lock. A lock whose process has ended is ignored. */
export async function withLock(folder, work) {
  while (!take(folder)) await new Promise((resolve) => setTimeout(resolve, 100));
  try {
    return await work();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function take(folder) {
  try {
    mkdirSync(folder);
    writeFileSync(path.join(folder, 'pid'), String(process.pid));
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    if (isStale(folder)) rmSync(folder, { recursive: true, force: true });
    return false;
  }
}

function isStale(folder) {
  try {
    process.kill(Number(readFileSync(path.join(folder, 'pid'), 'utf8')), 0);
    return false;
  } catch (error) {
    if (error.code === 'EPERM') return false;
    // The pid file is missing. Another process may have created the folder and not written the file yet, so the lock
    // counts as abandoned only after 10 seconds.
    return error.code === 'ESRCH' || ageSeconds(folder) > 10;
  }
}

function ageSeconds(folder) {
  try {
    return (Date.now() - statSync(folder).mtimeMs) / 1000;
  } catch {
    return 0;
  }
}
