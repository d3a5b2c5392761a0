/** Accounts and storage keys whose worker is killed while a provider creates them. */
import { readFileSync } from 'node:fs';
import { config } from '../../config.js';
import { STORAGE_PROVISIONER } from '../../development/stack/storage.js';
import type { Suites } from '../gateways/accounts.support.js';
import type { StorageWorld } from '../gateways/storage.support.js';
import { asOwner } from '../support/owner.js';
import { eventually, type Platform } from '../support/platform.js';
import type { WorkerDeath } from '../support/workerDies.js';
import { aMember, aPlatformAdmin, type World } from '../support/world.js';

interface Stage {
  platform: Platform;
  world: World;
  suites: Suites;
  storage: StorageWorld;
  /** The file with the output of the workers. */
  logPath: string;
}

export const killedProvisioning = ({ platform, world, suites, storage, logPath }: Stage): WorkerDeath[] => [
  {
    name: 'a worker that is killed around the creation of accounts and of a storage key leaves one of each',
    async begin() {
      const { organizationId, chapterId } = world;
      const configured = await platform
        .client(world.admin)
        .put(`/api/organizations/${organizationId}/provisioning-config/`, suites.workspaceConfig());
      expect(configured.status).toBe(200);
      const { faults, directory } = suites.workspace;
      const people = [
        await aMember(organizationId, chapterId, 'member', 'pnm'),
        await aMember(organizationId, chapterId, 'member', 'pnm'),
      ];
      for (const kind of ['hold_before', 'hold_after'] as const) faults.order({ kind, operation: 'create' });
      const memberships = people.map(({ membershipId }) => membershipId);
      await asOwner(`UPDATE memberships SET status = 'undergrad' WHERE id = ANY ($1)`, [memberships]);
      let key: Awaited<ReturnType<typeof holdNewKey>>;
      return {
        kills: [
          {
            async when() {
              await eventually(
                async () => faults.holding,
                (holding) => holding === 2,
                60,
              );
              expect(directory.all()).toHaveLength(1);
              key = await holdNewKey(platform, storage, organizationId);
            },
            meanwhile: async () => faults.lift(),
          },
        ],
        async after() {
          const accounts = await eventually(
            () =>
              asOwner<{ id: string; status: string; address: string }>(
                'SELECT id, status, address FROM account_provisioning_records WHERE membership_id = ANY ($1)',
                [memberships],
              ),
            (rows) => rows.every(({ status }) => status === 'active'),
            60,
          );
          for (const { id, address } of accounts)
            expect(directory.all().filter(({ externalId }) => externalId === id)).toMatchObject([
              { address, groups: directory.groups },
            ]);

          const { provisioning, keys, keyActions } = key;
          expect(await provisioning).toMatchObject({
            status: 202,
            body: { provisioning: { status: 'running' }, storage: null },
          });
          const made = await eventually(
            () =>
              asOwner<{ status: string; access_key_id: string }>(
                `SELECT p.status, c.access_key_id FROM storage_provisionings p JOIN storage_configs c USING (organization_id)
                  WHERE p.organization_id = $1 AND c.is_active`,
                [organizationId],
              ),
            ([row]) => row?.status === 'completed',
            60,
          );
          expect(keys()).toMatchObject([{ accessKeyId: made[0]?.access_key_id, active: true }]);
          expect(keyActions()).toEqual(['CreateAccessKey', 'DeleteAccessKey', 'CreateAccessKey']);
          const lines = readFileSync(logPath, 'utf8');
          expect(lines).toContain('worker');
          for (const secret of [STORAGE_PROVISIONER.secretAccessKey, keys()[0]?.secretAccessKey as string])
            expect(lines).not.toContain(secret);
        },
      };
    },
  },
];

/** Starts the provisioning of a storage, whose worker waits for the answer with the key. */
async function holdNewKey(platform: Platform, storage: StorageWorld, organizationId: string) {
  const { url } = storage;
  const name = `membership-${organizationId}`;
  Object.assign(config, {
    storageProvisioning: {
      ...STORAGE_PROVISIONER,
      region: 'us-east-1',
      name: 'membership',
      endpoint: url,
      identityEndpoint: url,
    },
  });
  storage.fail('held', 1, 'CreateAccessKey');
  const keys = () => storage.identities.user(name)?.keys ?? [];
  const keyActions = () =>
    storage
      .calls()
      .flatMap(({ action, target }) => (target === name && /^(Create|Delete)AccessKey/.test(action) ? [action] : []));
  const provisioning = platform
    .client(await aPlatformAdmin())
    .post(`/api/platform/organizations/${organizationId}/storage-config/provision/`, { dry_run: false });
  await eventually(
    async () => keys().length,
    (count) => count === 1,
    60,
  );
  return { provisioning, keys, keyActions };
}
