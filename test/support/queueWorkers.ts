import { startRelay } from '../../activities/relay.js';
import { createWorkers } from '../../activities/worker.js';
import type { TaskQueue } from '../../workflows/contracts/index.js';
import { closeTemporal } from '../../gateways/temporal/client.js';
import { registerSearchAttributes } from '../../gateways/temporal/searchAttributes.js';

/**
 * Workers of these queues beside the API of a test file, called below `apiWorld()`.
 * @param relay whether rows that only SQL wrote are dispatched too; a request dispatches its own without it
 */
export function queueWorkers(queues: readonly TaskQueue[], { relay = false } = {}): void {
  let stop: () => Promise<void>;

  beforeAll(async () => {
    await registerSearchAttributes();
    const workers = await createWorkers(queues);
    const running = workers.run();
    const relaying = relay ? startRelay() : undefined;
    stop = async () => {
      workers.shutdown();
      await running;
      await relaying?.stop();
    };
  });

  afterAll(async () => {
    await stop();
    await closeTemporal();
  });
}
