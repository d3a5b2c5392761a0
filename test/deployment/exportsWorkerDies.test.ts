/** Workers that are killed during an export of invoices: each try writes its own object, and only a complete one is shown. */
import { createHash } from 'node:crypto';
import { removeNextFiles } from '../../activities/organizations/removeFiles.js';
import { aStore } from '../gateways/storage.support.js';
import { registerSearchAttributes } from '../../gateways/temporal/searchAttributes.js';
import { apiWorld } from '../support/apiWorld.js';
import { partsOf } from '../support/documentText.js';
import { asOwner } from '../support/owner.js';
import { eventually } from '../support/platform.js';
import { storageWorkers } from '../support/storageWorkers.js';
import { anInvoice } from '../support/world.js';

const storage = aStore();
const stage = apiWorld();
const workers = storageWorkers(storage);

beforeAll(registerSearchAttributes);

test('an export whose worker is killed twice ends complete, and the objects of the failed tries are deleted', async () => {
  const { organizationId, chapterId, member } = stage.world;
  const address = `/api/organizations/${organizationId}/invoice-exports/`;
  for (const cents of [12_345, 6_789])
    await anInvoice(stage.world, { chapterId, membershipId: member.membershipId, cents });
  const files = () =>
    asOwner<{ id: string; status: string }>(
      `SELECT id, status FROM stored_files WHERE organization_id = $1 AND purpose = 'invoice_export' ORDER BY id`,
      [organizationId],
    );
  const keys = () => storage.objects.keys().filter((key) => key.startsWith(organizationId));

  // The bytes are stored, but the worker is killed before it gets the answer.
  storage.fail('held', 2, 'PutObject');
  const { id } = (await stage.admin.post(address, {})).body;
  for (const tries of [1, 2]) {
    const worker = workers.start();
    await eventually(
      async () => keys(),
      ({ length }) => length === tries,
      60,
    );
    await workers.kill(worker);
    expect((await stage.admin.get(`${address}${id}/`)).body).toMatchObject({
      status: 'running',
      download_url: null,
      sha256: null,
    });
  }
  workers.start();
  const { body } = await eventually(
    () => stage.admin.get(`${address}${id}/`),
    (reply) => reply.body.status === 'ready',
    60,
  );
  expect(body).toMatchObject({ rows_total: 2, rows_done: 2 });
  const lead = await fetch(`${stage.api.url}${body.download_url}`, {
    headers: { Authorization: `Bearer ${stage.world.admin.token}` },
  });
  const bytes = Buffer.from(await lead.arrayBuffer());
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(body.sha256);
  const sheet = (await partsOf(bytes)).get('xl/worksheets/sheet1.xml') as string;
  for (const amount of ['123.45', '67.89', '191.34']) expect(sheet).toContain(`<v>${amount}</v>`);

  const [first, second, whole] = await files();
  expect([first?.status, second?.status, whole?.status]).toEqual(['uploading', 'uploading', 'kept']);
  expect(keys()).toHaveLength(3);
  await asOwner(`UPDATE stored_files SET created_at = now() - interval '2 hours' WHERE organization_id = $1`, [
    organizationId,
  ]);
  while (await removeNextFiles());
  expect(await files()).toEqual([whole]);
  expect(keys()).toEqual([`${organizationId}/${whole?.id}`]);
  expect((await stage.admin.get(`${address}${id}/`)).body).toMatchObject({ status: 'ready', sha256: body.sha256 });
});
