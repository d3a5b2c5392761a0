/** Installs dependencies when they are missing or older than the lock file. Plain JavaScript: it runs before any of them. */
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';

export const ROOT = path.resolve(import.meta.dirname, '..');

/** Ends the process with a message when Node is too old or the installation fails. */
export function ensureInstalled() {
  refuseOldNode();
  const lock = path.join(ROOT, 'package-lock.json');
  // npm writes this file at the end of an installation.
  const installed = path.join(ROOT, 'node_modules', '.package-lock.json');
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return;
  console.log('Installing dependencies (npm ci); about a minute, once …');
  const npm = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
    // The compiler is a development dependency; NODE_ENV must not leave it out.
    env: { ...process.env, NODE_ENV: 'development' },
  });
  if (npm.status === 0) return;
  console.error('npm ci failed; the reason is above. Nothing was started.');
  process.exit(1);
}

function refuseOldNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  console.error(`This needs Node 20.19 or newer; this is ${process.versions.node}.`);
  process.exit(1);
}
