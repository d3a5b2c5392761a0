import { createWorkers, type Workers } from '../../activities/worker.js';
import { closeTemporal } from '../../gateways/temporal/client.js';
import { registerSearchAttributes } from '../../gateways/temporal/searchAttributes.js';
import { sequelize } from '../../models/database/connection.js';
import { closeOwner } from './owner.js';
import { deleteSchedules, restingSchedules } from './schedules.js';

/** Workers of all queues, and paused schedules, for a test file that triggers a schedule and needs no API. */
export function scheduledWorkers(): void {
  let workers: Workers;
  let running: Promise<void>;

  beforeAll(async () => {
    await registerSearchAttributes();
    await restingSchedules();
    workers = await createWorkers();
    running = workers.run();
  });

  afterAll(async () => {
    await deleteSchedules();
    workers.shutdown();
    await running;
    await closeTemporal();
    await closeOwner();
    await sequelize.close();
  });
}
