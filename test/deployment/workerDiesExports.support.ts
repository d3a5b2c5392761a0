/** An export of invoices whose worker is killed: each try writes its own object, and only a complete one is shown. */
import { createHash } from 'node:crypto';
import { removeNextFiles } from '../../activities/organizations/removeFiles.js';
import type { StorageWorld } from '../gateways/storage.support.js';
import { Client, type RunningApi } from '../support/api.js';
import { partsOf } from '../support/documentText.js';
import { asOwner } from '../support/owner.js';
import { eventually } from '../support/platform.js';
import type { WorkerDeath } from '../support/workerDies.js';
import { anInvoice, aWorld } from '../support/world.js';

interface Stage {
  api: RunningApi;
  storage: StorageWorld;
}

export const killedExports = ({ api, storage }: Stage): WorkerDeath[] => [
  {
    name: 'an export whose worker is killed twice ends complete, and the objects of the failed tries are deleted',
    async begin() {
      const world = await aWorld();
      const { organizationId, chapterId, member } = world;
      const admin = new Client(api.url, { token: world.admin.token });
      const address = `/api/organizations/${organizationId}/invoice-exports/`;
      for (const cents of [12_345, 6_789])
        await anInvoice(world, { chapterId, membershipId: member.membershipId, cents });
      const files = () =>
        asOwner<{ id: string; status: string }>(
          `SELECT id, status FROM stored_files WHERE organization_id = $1 AND purpose = 'invoice_export' ORDER BY id`,
          [organizationId],
        );
      const keys = () => storage.objects.keys().filter((key) => key.startsWith(organizationId));

      // The bytes are stored, but the worker is killed before it gets the answer.
      storage.fail('held', 2, 'PutObject');
      const { id } = (await admin.post(address, {})).body;
      const killInTry = (tries: number) => ({
        when: () =>
          eventually(
            async () => keys(),
            ({ length }) => length === tries,
            60,
          ),
        async meanwhile() {
          expect((await admin.get(`${address}${id}/`)).body).toMatchObject({
            status: 'running',
            download_url: null,
            sha256: null,
          });
        },
      });
      return {
        kills: [killInTry(1), killInTry(2)],
        async after() {
          const { body } = await eventually(
            () => admin.get(`${address}${id}/`),
            (reply) => reply.body.status === 'ready',
            60,
          );
          expect(body).toMatchObject({ rows_total: 2, rows_done: 2 });
          const download = await fetch(`${api.url}${body.download_url}`, {
            headers: { Authorization: `Bearer ${world.admin.token}` },
          });
          const bytes = Buffer.from(await download.arrayBuffer());
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
          expect((await admin.get(`${address}${id}/`)).body).toMatchObject({ status: 'ready', sha256: body.sha256 });
        },
      };
    },
  },
];
