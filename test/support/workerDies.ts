/** The frame of tests about killed workers: a table of processes, of the moments of the kills, and of the expected ends. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import pg from 'pg';

export interface WorkerDeath {
  /** The name of the test. */
  name: string;
  /** Makes the request or the rows that start the process; no worker runs yet. */
  begin: () => Promise<Course>;
}

export interface Course {
  /** In this order; before each kill a worker is started. */
  kills: Kill[];
  /** Checks the end; another worker runs. */
  after: () => Promise<void>;
}

interface Kill {
  /** Resolves at the moment of the kill. */
  when: () => Promise<unknown>;
  /** Checks or changes the state while no worker runs. */
  meanwhile?: () => Promise<unknown>;
}

/**
 * Defines one test per case. The workers are processes of the compiled project and are killed by SIGKILL.
 * @param environment returns environment variables of the workers @param output returns the file descriptor for their output
 */
export function workerDies(
  cases: readonly WorkerDeath[],
  environment: () => NodeJS.ProcessEnv,
  output: number | 'ignore' = 'ignore',
): void {
  const workers: ChildProcess[] = [];
  const start = () =>
    workers.push(
      spawn(process.execPath, [path.resolve('dist/bin/worker.js')], {
        env: { ...process.env, RELAY_SWEEP_SECONDS: '1', ...environment() },
        stdio: ['ignore', output, output],
      }),
    );
  const kill = () =>
    Promise.all(
      workers.splice(0).map(async (worker) => {
        if (worker.exitCode !== null || worker.signalCode !== null) return;
        worker.kill('SIGKILL');
        await once(worker, 'exit');
      }),
    );
  afterEach(kill);

  test.each(cases)('$name', async ({ begin }) => {
    const { kills, after } = await begin();
    for (const { when, meanwhile } of kills) {
      start();
      await when();
      await kill();
      await meanwhile?.();
    }
    start();
    await after();
  });
}

/** Runs a statement in a transaction that stays open. @returns a function that ends it */
export async function holdTransaction(statement: string, values: unknown[]): Promise<() => Promise<void>> {
  const holder = new pg.Client({ connectionString: process.env['DATABASE_OWNER_URL'] });
  await holder.connect();
  await holder.query('BEGIN');
  await holder.query(statement, values);
  return async () => {
    await holder.query('ROLLBACK');
    await holder.end();
  };
}
