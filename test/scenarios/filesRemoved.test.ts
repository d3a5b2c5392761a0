/** The hourly cleanup of the storage, as its Schedule starts it. */
import { Readable } from 'node:stream';
import type { StoragePort } from '../../gateways/storage/port.js';
import { store } from '../../gateways/storage/store.js';
import { temporal } from '../../gateways/temporal/client.js';
import { scheduleId } from '../../gateways/temporal/schedules.js';
import { objectKey } from '../../models/organizations/files/storedFiles.js';
import { aStore } from '../gateways/storage.support.js';
import { recordHistory } from '../support/histories.js';
import { asOwner } from '../support/owner.js';
import { eventually } from '../support/platform.js';
import { scheduledWorkers } from '../support/scheduledWorkers.js';
import { aWorld } from '../support/world.js';

const storage = aStore();
scheduledWorkers();

test('deleted files leave the storage within the hour, also when the storage is down for a moment', async () => {
  const { organizationId, member } = await aWorld({ members: 1 });
  const [row] = await asOwner<{ id: string }>(
    `INSERT INTO stored_files (organization_id, purpose, uploaded_by, created_at)
     VALUES ($1, 'import', $2, now() - interval '61 minutes') RETURNING id`,
    [organizationId, member.userId],
  );
  await (store() as StoragePort).put(
    objectKey(organizationId, row?.id ?? ''),
    Readable.from([Buffer.from('half a list')]),
  );
  storage.fail(503, 3);
  const schedule = temporal().schedule.getHandle(scheduleId('remove-files'));
  await schedule.trigger();
  await eventually(
    () => asOwner('SELECT id FROM stored_files'),
    (left) => left.length === 0,
  );
  expect(storage.objects.keys()).toEqual([]);
  const { info } = await schedule.describe();
  const { workflowId } = (info.recentActions[0] as (typeof info.recentActions)[number]).action.workflow;
  await eventually(
    () => temporal().workflow.getHandle(workflowId).describe(),
    ({ status }) => status.name === 'COMPLETED',
  );
  await recordHistory(workflowId, 'removeFiles-removed');
});
