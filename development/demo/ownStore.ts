/** Moves an organization's files to its own storage. */
import { setTimeout as sleep } from 'node:timers/promises';
import { OWN_STORAGE } from '../stack/storage.js';
import { DemoClient, DemoFailed, expectStatus, type Row } from './client.js';
import type { DemoFacts } from './facts.js';
import { screen } from './screen.js';

const TIMEOUT_S = 60;
const END_STATES = new Set(['completed', 'completed_with_missing', 'failed', 'cancelled']);

interface Migration extends Row {
  status: string;
  files_moved: number;
}
interface Plan {
  files: number;
  bytes: number;
}
interface Storage {
  store: Row | null;
  version: number;
}

/**
 * Moves the organization's files to its own storage.
 * @throws DemoFailed
 */
export async function moveFiles(facts: DemoFacts, organization: string, admin: DemoClient): Promise<void> {
  screen.chapter('10. Their files move to the organization’s own storage');
  const { storage_url: endpoint, organizations } = facts;
  const platformAdmin = organizations[0]?.users.platform_admin;
  if (!(endpoint && platformAdmin)) return screen.note('Skipped: files are in a real object storage.');
  const storage = `/api/organizations/${organization}/storage-config/`;
  const { bucket, accessKeyId: access_key_id, secretAccessKey: secret_access_key } = OWN_STORAGE;
  const where = { provider: 's3_compatible', endpoint, region: 'us-east-1', bucket, prefix: 'membership/' };
  await admin.put(storage, { ...where, access_key_id, secret_access_key });
  const tried = await expectStatus(admin.post(`${storage}test/`, {}));
  if (tried['failed_step'] !== null) throw new DemoFailed(`The storage test fails at ${JSON.stringify(tried)}.`);
  screen.done(`New files go to ${bucket}: a test file was written, read back, compared and deleted there.`);
  const { store } = await admin.get<Storage>(storage);
  const platform = await DemoClient.signIn(facts.base_url, platformAdmin);
  const moves = `/api/platform/organizations/${organization}/storage-migrations/`;
  const way = { from: null, to: store?.id };
  const { plan } = (await expectStatus(platform.post(moves, { ...way, dry_run: true }))) as unknown as { plan: Plan };
  screen.note(`planned: ${plan.files} files, ${plan.bytes} bytes`);
  const begun = await expectStatus(platform.post(moves, { ...way, dry_run: false }), 202);
  const { id } = begun['migration'] as Row;
  for (let waited = 0; waited < TIMEOUT_S; waited += 1) {
    const { status, files_moved } = await platform.get<Migration>(`${moves}${id}/`);
    if (status === 'completed')
      return screen.done(`Files stayed readable during the migration; moved: ${files_moved}.`);
    if (END_STATES.has(status)) throw new DemoFailed(`The migration ended as ${status}.`);
    await sleep(1000);
  }
  throw new DemoFailed(`The files had not moved after ${TIMEOUT_S} s.`);
}
