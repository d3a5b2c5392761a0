/** The worker process: task queues, the outbox relay, and the schedules. Drains on SIGTERM. */
import { setTimeout as sleep } from 'node:timers/promises';
import { startRelay } from '../activities/relay.js';
import { createWorkers, type Workers } from '../activities/worker.js';
import { config } from '../config.js';
import { settleFirstBuild } from '../gateways/temporal/builds.js';
import { upsertSchedules } from '../gateways/temporal/schedules.js';
import { registerSearchAttributes } from '../gateways/temporal/searchAttributes.js';
import { refuseStrongRole } from '../models/database/roles.js';
import { log } from '../models/log.js';
import { observe } from './serving/observe.js';
import { exitWithSupervisor, reportReady } from './serving/exitWithSupervisor.js';

const MAX_WAIT_SECONDS = 60;

async function main(): Promise<void> {
  exitWithSupervisor();
  const sendTraces = await observe('worker');
  await retryWhileStarting('the database', refuseStrongRole);
  await retryWhileStarting('Temporal', registerSearchAttributes);
  await retryWhileStarting('schedules', upsertSchedules);
  const workers = await retryWhileStarting('the task queues', () => createWorkers(config.WORKER_QUEUES));
  const relay = startRelay();
  stopOnSignal(workers);
  reportReady();
  log.info({ part: 'worker' }, 'the worker is ready');
  void settleBuild();
  await workers.run();
  await relay.stop();
  await sendTraces();
}

/**
 * Makes this build the current one, on which new processes begin, unless an operator has chosen another build. Retries
 * until Temporal knows this build, which it does once its worker polls.
 */
async function settleBuild(): Promise<void> {
  const { TEMPORAL_BUILD_ID: build } = config;
  if (!build) return;
  for (let second = 0; ; second += 1) {
    try {
      if (await settleFirstBuild(build)) return;
    } catch (error) {
      if (second % 10 === 0) log.warn({ err: error }, 'waiting until Temporal knows this build');
    }
    await sleep(1000);
  }
}

/**
 * Runs `step`, and retries while the servers that it needs are still starting; fails at once for a role with too many
 * rights.
 */
async function retryWhileStarting<T>(description: string, step: () => Promise<T>): Promise<T> {
  for (let second = 0; ; second += 1) {
    try {
      return await step();
    } catch (error) {
      if (second >= MAX_WAIT_SECONDS || (error as Error).message.startsWith('DATABASE_URL: ')) throw error;
      if (second % 10 === 0) log.warn({ err: error }, `waiting for ${description}`);
      await sleep(1000);
    }
  }
}

function stopOnSignal(workers: Workers): void {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => workers.shutdown());
}

main().then(
  () => process.exit(0),
  (error: Error) => {
    console.error(error.message);
    process.exit(1);
  },
);
