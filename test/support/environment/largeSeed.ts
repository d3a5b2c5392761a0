/** The large seed for one test file: a copy of it, on a server of its own (keepLargeSeed.ts). */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

export interface LargeSeed {
  port: number;
  /** The superuser's. */
  password: string;
  stop(): Promise<void>;
}

/** @throws Error when its process ends before it is there; it has said why */
export async function startLargeSeed(): Promise<LargeSeed> {
  // A program of its own, as in globalSetup.ts: it loads what makes the seed, and this process loads that anew for each file.
  const keeper = spawn(
    process.execPath,
    ['--import', require.resolve('tsx'), path.join(__dirname, 'keepLargeSeed.ts')],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
      // Ctrl-C is not for it: it ends in order when its standard input closes, also with a test process that was killed.
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
