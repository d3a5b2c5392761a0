/** Starts the load generator as a child process, sends it each round of load, and receives the measurements. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { Load, Measured } from './protocol.js';

export interface Generator {
  run(load: Load): Promise<Measured>;
  stop(): Promise<void>;
}

/** Starts the generator. @param environment addresses of the servers */
export async function startGenerator(environment: NodeJS.ProcessEnv): Promise<Generator> {
  const child = fork(path.join(__dirname, 'load.js'), { env: environment });
  if ((await nextMessage(child)) !== 'ready') throw new Error('The load generator did not start.');
  return {
    async run(load) {
      const answer = nextMessage(child) as Promise<{ found?: Measured; problem?: string }>;
      child.send(load);
      const { found, problem } = await answer;
      if (!found) throw new Error(`The load generator failed: ${problem}`);
      return found;
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

async function nextMessage(child: ChildProcess): Promise<unknown> {
  const ended = new AbortController();
  const exited = once(child, 'exit', { signal: ended.signal }).then(() => {
    throw new Error('The load generator ended.');
  });
  try {
    const [message] = (await Promise.race([once(child, 'message', { signal: ended.signal }), exited])) as unknown[];
    return message;
  } finally {
    exited.catch(() => undefined);
    ended.abort();
  }
}
