/** Finds the Temporal server: uses an installed one, or else downloads one, or else builds one. */
import { access, constants, mkdir } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { buildTemporal, TEMPORAL_CLI } from './buildTemporal.js';
import { cacheFolder, foldersOnPath } from './cache.js';
import { downloadedName, downloadTemporal } from './downloadTemporal.js';

const program = process.platform === 'win32' ? 'temporal.exe' : 'temporal';

const CACHE = `temporal-${TEMPORAL_CLI}`;

async function isExecutable(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/** Returns a server that can be started at once, or undefined. */
async function installedTemporal(): Promise<string | undefined> {
  const candidates = [
    ...foldersOnPath().map((folder) => path.join(folder, program)),
    path.join(os.tmpdir(), downloadedName()),
    path.join(cacheFolder(CACHE), downloadedName()),
    path.join(cacheFolder(CACHE), program),
  ];
  for (const candidate of candidates) if (await isExecutable(candidate)) return candidate;
  return undefined;
}

/**
 * Finds the Temporal server, or gets one into the per-user cache and reports each step with `say`.
 * @throws Error that says how to install it by hand
 */
export async function findTemporal(say: (line: string) => void): Promise<string> {
  const installed = await installedTemporal();
  if (installed) return installed;
  const cache = cacheFolder(CACHE);
  await mkdir(cache, { recursive: true });
  const failures: string[] = [];
  for (const get of [downloadTemporal, buildTemporal]) {
    try {
      return await get(cache, say);
    } catch (error) {
      failures.push((error as Error).message);
    }
  }
  throw new Error(
    [
      'No Temporal server was found, and getting one failed:',
      ...failures.map((failure) => `  - ${failure}`),
      'Do one of these, then start again:',
      `  - install the Temporal CLI (https://docs.temporal.io/cli) so that 'temporal' is on your PATH`,
      `  - put its program at ${path.join(cache, program)}`,
      '  - set TEMPORAL_ADDRESS=host:port to a server that is already running',
    ].join('\n'),
  );
}
