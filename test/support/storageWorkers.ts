/** Worker processes for long work over a storage stand-in, to be killed. They need the compiled project. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { aStore } from '../gateways/storage.support.js';

export interface StorageWorkers {
  start(): ChildProcess;
  /** By SIGKILL; resolves once it is gone. */
  kill(worker: ChildProcess): Promise<void>;
  killAll(): Promise<unknown>;
}

/**
 * The workers of a test file; remaining ones are killed after its tests.
 * @param more returns further environment variables at each start
 */
export function storageWorkers(
  storage: ReturnType<typeof aStore>,
  more: () => NodeJS.ProcessEnv = () => ({}),
): StorageWorkers {
  const workers: ChildProcess[] = [];
  const killAll = () => Promise.all(workers.map(kill));
  afterAll(killAll);
  return {
    start() {
      const { bucket, accessKeyId, secretAccessKey } = storage.settings;
      const worker = spawn(process.execPath, [path.resolve('dist/bin/worker.js')], {
        env: {
          ...process.env,
          WORKER_QUEUES: 'bulk',
          STORAGE_BUCKET: bucket,
          STORAGE_ENDPOINT: storage.url,
          STORAGE_ACCESS_KEY_ID: accessKeyId,
          STORAGE_SECRET_ACCESS_KEY: secretAccessKey,
          ...more(),
        },
        stdio: 'ignore',
      });
      workers.push(worker);
      return worker;
    },
    kill,
    killAll,
  };
}

async function kill(worker: ChildProcess): Promise<void> {
  if (worker.exitCode !== null || worker.signalCode !== null) return;
  worker.kill('SIGKILL');
  await once(worker, 'exit');
}
