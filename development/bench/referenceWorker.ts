/**
 * The reference for payments, a process of its own: a worker with the product's settings that runs a workflow of one
 * empty step.
 */
import { NativeConnection, Worker } from '@temporalio/worker';
import { optionsFor } from '../../activities/worker.js';
import { temporalServer } from '../../gateways/temporal/server.js';
import { exitWithSupervisor, reportReady } from '../../bin/serving/exitWithSupervisor.js';
import { ONE_STEP } from './protocol.js';

async function main(): Promise<void> {
  exitWithSupervisor();
  const connection = await NativeConnection.connect(temporalServer());
  const { workflowBundle: _, ...settings } = await optionsFor('payments', connection);
  const worker = await Worker.create({
    ...settings,
    taskQueue: ONE_STEP.taskQueue,
    workflowsPath: require.resolve('./oneStep'),
    activities: { step: async () => undefined },
  });
  process.once('SIGTERM', () => worker.shutdown());
  reportReady();
  await worker.run();
  await connection.close();
}

main().then(
  () => process.exit(0),
  (error: Error) => {
    console.error(error.message);
    process.exit(1);
  },
);
