/** Builds the Temporal command line program, which contains the server, with the Go toolchain. */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import path from 'node:path';

/** The last release that `go install` accepts: later ones replace modules. It contains server 1.29.1. */
export const TEMPORAL_CLI = '1.5.1';
const TICK_SECONDS = 15;

/** Builds into the folder. @returns the program's path. @throws Error when there is no Go or the build fails */
export async function buildTemporal(folder: string, say: (line: string) => void): Promise<string> {
  requireGo();
  say(`Temporal server: building ${TEMPORAL_CLI} with 'go install' into ${folder}. Once only, about 3 minutes …`);
  const started = Date.now();
  const elapsed = () => `${Math.round((Date.now() - started) / 1000)} s`;
  const ticker = setInterval(() => say(`Temporal server: still building (${elapsed()}) …`), TICK_SECONDS * 1000);
  // Built beside its place and moved there, so that an interrupted build is never taken for a program.
  const workshop = await mkdtemp(path.join(folder, 'building-'));
  try {
    await goInstall(workshop, [`github.com/temporalio/cli/cmd/temporal@v${TEMPORAL_CLI}`]);
    const program = process.platform === 'win32' ? 'temporal.exe' : 'temporal';
    await rename(path.join(workshop, program), path.join(folder, program));
    say(`Temporal server: built in ${elapsed()}.`);
    return path.join(folder, program);
  } finally {
    clearInterval(ticker);
    await rm(workshop, { recursive: true, force: true });
  }
}

export function requireGo(): void {
  try {
    execFileSync('go', ['version'], { stdio: 'ignore' });
  } catch {
    throw new Error(`It cannot be built: there is no 'go' on the PATH (Go 1.24 or newer).`);
  }
}

/** @param packages each with its version; their programs end up in the folder. @throws Error with what the compiler says */
export async function goInstall(target: string, packages: string[]): Promise<void> {
  const child = spawn('go', ['install', ...packages], {
    env: { ...process.env, GOBIN: target },
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  // The compilers that it starts must not work on after us.
  const abandon = () => process.kill(-(child.pid as number), 'SIGKILL');
  process.once('exit', abandon);
  let complaint = '';
  child.stderr.on('data', (text) => {
    complaint = `${complaint}${text}`.slice(-4000);
  });
  const code = await new Promise((resolve, reject) => {
    child.once('close', resolve);
    child.once('error', reject);
  });
  process.removeListener('exit', abandon);
  if (code === 0) return;
  throw new Error(`'go install' failed: ${complaint.trim().split('\n').slice(-5).join('\n    ')}`);
}
