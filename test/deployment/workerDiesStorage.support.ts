/**
 * A migration of files and the rotation of a key whose worker is killed: no file is lost or incomplete, and every read succeeds.
 */
import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { config } from '../../config.js';
import { OWN_STORAGE, STORAGE_PROVISIONER } from '../../development/stack/storage.js';
import { withStore } from '../../gateways/storage/withStore.js';
import { inTenant } from '../../models/database/tenancy.js';
import { locateFile } from '../../models/organizations/files/storedFiles.js';
import type { StorageWorld } from '../gateways/storage.support.js';
import { Client, type RunningApi } from '../support/api.js';
import { asOwner } from '../support/owner.js';
import { eventually } from '../support/platform.js';
import type { WorkerDeath } from '../support/workerDies.js';
import { aPlatformAdmin, aWorld, type World } from '../support/world.js';

interface Stage {
  api: RunningApi;
  storage: StorageWorld;
}

const FILES = 12;
const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** The digests of an organization's files. */
class KeptFiles {
  private readonly digests = new Map<string, string>();

  constructor(
    private readonly world: World,
    private readonly storage: StorageWorld,
  ) {}

  async add(size: number): Promise<void> {
    const bytes = randomBytes(size);
    const { organizationId, admin } = this.world;
    const [row] = await asOwner<{ id: string }>(
      `INSERT INTO stored_files (organization_id, purpose, uploaded_by, status, name, media_type, size_bytes, sha256, kept_at)
       VALUES ($1, 'import', $2, 'kept', 'a.csv', 'text/csv', $3, $4, now()) RETURNING id`,
      [organizationId, admin.userId, bytes.length, digest(bytes)],
    );
    const id = row?.id as string;
    await this.storage.objects.put(`${organizationId}/${id}`, Readable.from([bytes]), null);
    this.digests.set(id, digest(bytes));
  }

  async expectWhole(): Promise<void> {
    for (const [id, sha256] of this.digests) expect([id, await this.read(id)]).toEqual([id, sha256]);
  }

  /** Reads from the storage that the row names, like the API. @returns the digest of the bytes */
  private async read(id: string): Promise<string> {
    const { organizationId } = this.world;
    const located = await inTenant(organizationId, () => locateFile(id));
    if (!located) throw new Error('The file is gone.');
    const { store, prefix } = located.location;
    const address = await withStore(store, (one) =>
      one.signedUrl(`${prefix}${organizationId}/${id}`, { name: 'a', mediaType: 'text/csv', seconds: 60 }),
    );
    return digest(Buffer.from(await (await fetch(address)).arrayBuffer()));
  }
}

/** In this order: the second case reads the files of the first. */
export function killedStorage({ api, storage }: Stage): WorkerDeath[] {
  let world: World;
  let files: KeptFiles;
  let platform: Client;
  const ofPlatform = (rest: string) => `/api/platform/organizations/${world.organizationId}/${rest}`;

  return [
    {
      name: 'a migration completes although its worker is killed twice, and every read succeeds in the meantime',
      async begin() {
        const { url } = storage;
        const provisioning = { ...STORAGE_PROVISIONER, region: 'us-east-1', name: 'membership', identityEndpoint: url };
        Object.assign(config, {
          STORAGE_ALLOWED_HOSTS: [new URL(url).host],
          storageProvisioning: { ...provisioning, endpoint: url },
        });
        platform = new Client(api.url, { token: (await aPlatformAdmin()).token });
        world = await aWorld();
        files = new KeptFiles(world, storage);
        // The first file is written in parts.
        for (let n = 0; n < FILES; n += 1) await files.add(n === 0 ? 6_000_000 : 50_000);
        const { bucket, accessKeyId: access_key_id, secretAccessKey: secret_access_key } = OWN_STORAGE;
        const own = { provider: 's3_compatible', endpoint: url, region: 'us-east-1', bucket };
        const chosen = await platform.put(ofPlatform('storage-config/'), { ...own, access_key_id, secret_access_key });
        const way = { from: null, to: chosen.body.store.id, dry_run: false };
        storage.fail('held', 1, 'CompleteMultipartUpload');
        const { id } = (await platform.post(ofPlatform('storage-migrations/'), way)).body.migration;
        const arriving = () =>
          asOwner<{ file_id: string }>("SELECT file_id FROM stored_file_copies WHERE status = 'arriving'");
        const readers = { isReading: true };
        const reading = (async () => {
          while (readers.isReading) await files.expectWhole();
        })();
        const migrated = () =>
          storage
            .objectsIn(bucket)
            .keys()
            .filter((key) => !key.includes('/test-')).length;
        const untilMigrated = (holds: (count: number) => boolean) => eventually(async () => migrated(), holds, 60);
        return {
          kills: [
            {
              // The bytes are stored, but the worker is killed before it gets the answer.
              when: () => untilMigrated((count) => count === 1),
              meanwhile: async () => expect(await arriving()).toHaveLength(1),
            },
            { when: () => untilMigrated((count) => count >= 4), meanwhile: () => files.expectWhole() },
          ],
          async after() {
            const { body } = await eventually(
              () => platform.get(ofPlatform(`storage-migrations/${id}/`)),
              (reply) => reply.body.status === 'completed',
              90,
            );
            readers.isReading = false;
            await reading;
            expect(body).toMatchObject({ files_moved: FILES, files_missing: 0, files_left: 0 });
            await files.expectWhole();
            expect(migrated()).toBe(FILES);
            expect(await arriving()).toEqual([]);
          },
        };
      },
    },
    {
      name: 'a rotation whose worker is killed after the provider made the key leaves one recorded key, and two at most in the meantime',
      async begin() {
        const name = `membership-${world.organizationId}`;
        const keys = () => storage.identities.user(name)?.keys ?? [];
        const provision = () => platform.post(ofPlatform('storage-config/provision/'), { dry_run: false });
        const store = () => platform.get(ofPlatform('storage-config/'));
        const isProvisioned = ({ body }: Awaited<ReturnType<typeof store>>) => body.store?.source === 'provisioned';
        const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(100, 7)]);
        const upload = () => {
          const body = new FormData();
          body.append('file', new Blob([new Uint8Array(png)]), 'photo.png');
          const address = `${api.url}/api/organizations/${world.organizationId}/files/?purpose=request_document`;
          return fetch(address, { method: 'POST', headers: { Authorization: `Bearer ${world.member.token}` }, body });
        };
        const seen = new Set<number>();
        let watching: NodeJS.Timeout;
        let old: string;
        let unknown: string[];
        let provisioningRequest: Promise<unknown>;
        return {
          kills: [
            {
              async when() {
                await provision();
                old = (await eventually(store, isProvisioned, 60)).body.store.access_key_id;
                storage.identities.disableKey(old);
                watching = setInterval(() => seen.add(keys().length), 5);
                storage.fail('held', 1, 'CreateAccessKey');
                provisioningRequest = provision();
                await eventually(
                  async () => keys(),
                  (all) => all.some(({ accessKeyId }) => accessKeyId !== old),
                  60,
                );
              },
              async meanwhile() {
                unknown = keys().map(({ accessKeyId }) => accessKeyId);
                const refused = await upload();
                expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '30']);
                await files.expectWhole();
              },
            },
          ],
          async after() {
            await provisioningRequest;
            const done = await eventually(
              store,
              ({ body }) => !unknown.includes(body.store.access_key_id) && body.store.access_key_id !== old,
              90,
            );
            const accepted = await eventually(upload, ({ status }) => status === 201, 30);
            clearInterval(watching);
            expect(accepted.status).toBe(201);
            expect(keys().map(({ accessKeyId }) => accessKeyId)).toEqual([done.body.store.access_key_id]);
            expect(Math.max(...seen)).toBeLessThanOrEqual(2);
            await files.expectWhole();
          },
        };
      },
    },
  ];
}
