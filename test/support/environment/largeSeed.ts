/** The large seed for one test file: a copy of it, on its own server (keepLargeSeed.ts). */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

export interface LargeSeed {
  port: number;
  /** For the superuser. */
  password: string;
  stop(): Promise<void>;
}

/** @throws Error when its process ends before it is ready; the process has printed why */
export async function startLargeSeed(): Promise<LargeSeed> {
  // A separate program, as in globalSetup.ts: it loads the seed's code, which this process would load again for each file.
  const keeper = spawn(
    process.execPath,
    ['--import', require.resolve('tsx'), path.join(__dirname, 'keepLargeSeed.ts')],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
      // Ctrl-C must not reach it: it ends in order when its standard input closes, also when the test process is killed.
      detached: true,
      env: { ...process.env, NODE_ENV: 'test', LOG_LEVEL: 'silent' },
    },
  );
  const ended = once(keeper, 'exit');
  let said = '';
  const told = new Promise<string>((resolve) => {
    keeper.stdout.on('data', (text: Buffer) => {
      said += text.toString();
      const line = /^\{.*\}$/m.exec(said)?.[0];
      if (line) resolve(line);
    });
  });
  const line = await Promise.race([told, ended.then(() => undefined)]);
  if (line === undefined) throw new Error('There is no large seed; the reason is above.');
  return {
    ...(JSON.parse(line) as { port: number; password: string }),
    async stop() {
      keeper.stdin.end();
      await ended;
    },
  };
}
