/** Builds the Temporal command line program, which contains the server, with the Go toolchain. */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import path from 'node:path';

/** The last release that `go install` accepts: later releases have `replace` directives. It contains server 1.29.1. */
export const TEMPORAL_CLI = '1.5.1';
const TICK_SECONDS = 15;

/** Builds into the folder. @returns the program's path. @throws Error when Go is missing or the build fails */
export async function buildTemporal(folder: string, say: (line: string) => void): Promise<string> {
  requireGo();
  say(`Temporal server: building ${TEMPORAL_CLI} with 'go install' into ${folder}. Once only, about 3 minutes …`);
  const started = Date.now();
  const elapsed = () => `${Math.round((Date.now() - started) / 1000)} s`;
  const ticker = setInterval(() => say(`Temporal server: still building (${elapsed()}) …`), TICK_SECONDS * 1000);
  // Builds in a temporary folder and moves the result, so that an interrupted build is never mistaken for a program.
  const buildFolder = await mkdtemp(path.join(folder, 'building-'));
  try {
    await goInstall(buildFolder, [`github.com/temporalio/cli/cmd/temporal@v${TEMPORAL_CLI}`]);
    const program = process.platform === 'win32' ? 'temporal.exe' : 'temporal';
    await rename(path.join(buildFolder, program), path.join(folder, program));
    say(`Temporal server: built in ${elapsed()}.`);
    return path.join(folder, program);
  } finally {
    clearInterval(ticker);
    await rm(buildFolder, { recursive: true, force: true });
  }
}

export function requireGo(): void {
  try {
    execFileSync('go', ['version'], { stdio: 'ignore' });
  } catch {
    throw new Error(`It cannot be built: there is no 'go' on the PATH (Go 1.24 or newer).`);
  }
}

/**
 * Installs Go packages into the folder. @param packages each with its version @throws Error with the compiler's output
 */
export async function goInstall(target: string, packages: string[]): Promise<void> {
  const child = spawn('go', ['install', ...packages], {
    env: { ...process.env, GOBIN: target },
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  // Kills the whole process group, so that compilers do not keep running after this process.
  const killGroup = () => process.kill(-(child.pid as number), 'SIGKILL');
  process.once('exit', killGroup);
  let errorOutput = '';
  child.stderr.on('data', (text) => {
    errorOutput = `${errorOutput}${text}`.slice(-4000);
  });
  const code = await new Promise((resolve, reject) => {
    child.once('close', resolve);
    child.once('error', reject);
  });
  process.removeListener('exit', killGroup);
  if (code === 0) return;
  throw new Error(`'go install' failed: ${errorOutput.trim().split('\n').slice(-5).join('\n    ')}`);
}
