/**
 * Installs dependencies when they are missing or older than the lock file. Plain JavaScript: it runs before any of
 * them.
 */
import './requireNode.cjs';
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

export const ROOT = path.resolve(import.meta.dirname, '..');

/** Runs a program in the project's folder to its end and passes signals on. @returns its exit code */
export async function run(command, args, options = {}) {
  const child = spawn(command, args, { cwd: ROOT, stdio: 'inherit', ...options });
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  let stopped = false;
  const passOn = (signal) => {
    stopped = true;
    child.kill(signal);
  };
  for (const signal of signals) process.on(signal, passOn);
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (status) => resolve(status ?? 1));
  });
  for (const signal of signals) process.removeListener(signal, passOn);
  if (stopped) process.exit(code || 1);
  return code;
}

/** Installs dependencies if needed; exits with a message when that fails. */
export async function ensureInstalled() {
  if (isInstalled()) return;
  console.log('Installing dependencies (npm ci). This takes about a minute …');
  const code = await run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    shell: process.platform === 'win32',
    // The compiler is a development dependency; NODE_ENV must not leave it out.
    env: { ...process.env, NODE_ENV: 'development' },
  });
  if (code === 0) return;
  console.error('npm ci failed; the reason is above. Nothing was started.');
  process.exit(1);
}

/** Whether node_modules is newer than the lock file or, after a fresh checkout, matches it. */
function isInstalled() {
  const lock = path.join(ROOT, 'package-lock.json');
  // npm writes this file at the end of an installation.
  const installed = path.join(ROOT, 'node_modules', '.package-lock.json');
  if (!existsSync(installed)) return false;
  if (statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return true;
  const [wanted, present] = [lock, installed].map((file) => JSON.parse(readFileSync(file, 'utf8')).packages);
  const satisfied = ([place, { version, optional }]) =>
    place === '' || present[place]?.version === version || (optional && !present[place]);
  return Object.entries(wanted).every(satisfied);
}
