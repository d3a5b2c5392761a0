/**
 * Downloads Temporal's development server through the Temporal SDK. Gives up early on networks that drop all packets.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

const SECONDS_TO_BEGIN = 15;
const SECONDS_TO_FINISH = 300;

/** Returns the file name under which the SDK stores the downloaded server. */
export function downloadedName(): string {
  const { version } = require('@temporalio/testing/package.json') as { version: string };
  return `temporal-sdk-typescript-${version}${process.platform === 'win32' ? '.exe' : ''}`;
}

/** Program that downloads the server. It runs in a separate process, because a stuck download cannot be cancelled. */
const SCRIPT = `
  const { TestWorkflowEnvironment } = require('@temporalio/testing');
  const executable = { type: 'cached-download', downloadDir: process.argv[1], ttl: '10y' };
  TestWorkflowEnvironment.createLocal({ server: { executable } })
    .then((environment) => environment.teardown())
    .catch((error) => { console.error(String(error.cause ?? error.message ?? error)); process.exitCode = 1; });
`;

/** Downloads into the folder. @returns the program's path. @throws Error when the network does not allow it */
export async function downloadTemporal(folder: string, say: (line: string) => void): Promise<string> {
  const target = path.join(folder, downloadedName());
  say('Temporal server: not installed. Asking its SDK to download it (a minute on most networks) …');
  const child = spawn(process.execPath, ['-e', SCRIPT, folder], {
    cwd: __dirname,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errorOutput = '';
  child.stderr.on('data', (text) => {
    errorOutput = `${errorOutput}${text}`.slice(-2000);
  });
  const killChild = () => void child.kill('SIGKILL');
  process.once('exit', killChild);
  const giveUp = (why: string) => {
    errorOutput = why;
    child.kill('SIGKILL');
  };
  const begin = setTimeout(() => {
    if (!existsSync(target) && !existsSync(`${target}.downloading`)) giveUp('no answer from the network');
  }, SECONDS_TO_BEGIN * 1000);
  const finish = setTimeout(() => giveUp('it took too long'), SECONDS_TO_FINISH * 1000);
  const code = await new Promise((resolve) => child.once('close', resolve));
  process.removeListener('exit', killChild);
  clearTimeout(begin);
  clearTimeout(finish);
  if (code === 0 && existsSync(target)) return target;
  const reason = errorOutput.trim().split('\n').at(-1) ?? '';
  say('Temporal server: the download is not possible on this network.');
  throw new Error(`The download failed: ${reason}`);
}
