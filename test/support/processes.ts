/** API and worker as separate processes, from dist/, over this test file's database and queues. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';

export interface OwnProcess {
  child: ChildProcess;
  /** Its port; 0 for a worker. */
  port: number;
  /** The port of its metrics; 0 without. */
  metricsPort: number;
  /** Ends it in order. */
  stop(): Promise<void>;
}

interface Line {
  msg: string;
  port?: number;
}

const READY = { api: 'the API is listening', worker: 'the worker is ready' };
const METRICS = 'serving metrics';

/**
 * Resolves when it serves requests, or as soon as it serves its metrics.
 * @throws Error with its output when it ends before
 */
export async function startOwn(
  part: 'api' | 'worker',
  env: Record<string, string> = {},
  until: 'ready' | 'metrics' = 'ready',
): Promise<OwnProcess> {
  const awaited = until === 'metrics' ? METRICS : READY[part];
  const child = spawn(process.execPath, [path.resolve(`dist/bin/${part}.js`)], {
    env: { ...process.env, LOG_LEVEL: 'info', PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const own: OwnProcess = {
    child,
    port: 0,
    metricsPort: 0,
    async stop() {
      if (child.exitCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
  const said: string[] = [];
  await new Promise<void>((resolve, reject) => {
    child.once('exit', () => reject(new Error(`The ${part} ended:\n${said.join('\n')}`)));
    createInterface({ input: child.stdout }).on('line', (text) => {
      said.push(text);
      const { msg, port = 0 } = JSON.parse(text) as Line;
      if (msg === METRICS) own.metricsPort = port;
      if (msg === READY[part]) own.port = port;
      if (msg === awaited) resolve();
    });
  });
  return own;
}
