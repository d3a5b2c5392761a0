/** A worker is killed while it issues and mails annual receipts: the next one goes on. */
import { once } from 'node:events';
import { type Relay, startRelay } from '../../activities/relay.js';
import { createWorkers, type Workers } from '../../activities/worker.js';
import type { Catcher } from '../../development/standins/mail/catcher.js';
import { startMailServer, stopMailServer } from '../support/accountMail.js';
import { aFoundation, type Foundation } from '../support/foundation.js';
import { aGift, LAST_YEAR, lastYear } from '../support/gifts.js';
import { asOwner } from '../support/owner.js';
import { eventually, type Platform, spawnPart, startPlatform } from '../support/platform.js';
import { aWorld } from '../support/world.js';

let platform: Platform;
let catcher: Catcher;
let workers: Workers | undefined;
let running: Promise<void>;
let relay: Relay;
let interrupted: Run;

beforeAll(async () => {
  platform = await startPlatform({ worker: 'none' });
  catcher = await startMailServer();
  interrupted = await killWorkerInRun();
  workers = await createWorkers(['bulk', 'notify']);
  running = workers.run();
  relay = startRelay();
});
afterAll(async () => {
  workers?.shutdown();
  await running;
  await relay.stop();
  await stopMailServer(catcher);
  await platform.close();
});

interface Run {
  id: string;
  workflowId: string;
  foundation: Foundation;
  organizationId: string;
}

const path = '/api/foundation/annual-receipts/';

/** A foundation whose donors gave last year, and whose single receipts are mailed already. */
async function aYear(donors: number) {
  const world = await aWorld({ members: 1 });
  const foundation = await aFoundation(world);
  const { organizationId } = world;
  for (let n = 0; n < donors; n += 1) await aGift(organizationId, foundation, { at: lastYear() });
  const own = `WHERE organization_id = '${organizationId}'`;
  await asOwner(`UPDATE tax_receipts SET mail_status = 'mailed', mailed_at = now() ${own}`);
  await asOwner(`DELETE FROM outbox ${own} AND process = 'donationReceipt'`);
  return { foundation, organizationId };
}

/** A confirmed run. */
async function aRun(donors: number): Promise<Run> {
  const year = await aYear(donors);
  const admin = platform.client(year.foundation.admin);
  const { preview_hash } = (await admin.post(path, { tax_year: LAST_YEAR, dry_run: true })).body;
  const { status, body } = await admin.post(path, { tax_year: LAST_YEAR, preview_hash });
  expect([status, body.receipts_planned]).toEqual([202, donors]);
  return { ...year, id: body.id, workflowId: body.workflow_id };
}

/** Kills a worker while it mails the receipts of a run. */
async function killWorkerInRun(): Promise<Run> {
  const run = await aRun(30);
  const worker = spawnPart('worker', platform.gateway, { SMTP_URL: catcher.smtpUrl });
  try {
    await eventually(
      async () => catcher.mails.list().length,
      (count) => count >= 12,
      60,
    );
    return run;
  } finally {
    worker.kill('SIGKILL');
    if (worker.exitCode === null) await once(worker, 'exit');
    // The next attempt need not wait for two minutes.
    await asOwner("UPDATE mail_messages SET claimed_at = now() - interval '3 minutes' WHERE outcome IS NULL");
  }
}

const read = async ({ id, foundation }: Pick<Run, 'id' | 'foundation'>) =>
  (await platform.client(foundation.admin).get(`${path}${id}/`)).body;
const receiptsOf = ({ organizationId }: Pick<Run, 'organizationId'>) =>
  asOwner<{ id: string; donor_id: string; status: string; mail_status: string }>(
    `SELECT id, donor_id, status, mail_status FROM tax_receipts WHERE organization_id = $1 AND donation_id IS NULL`,
    [organizationId],
  );

test('a run whose worker was killed goes on: each donor has one receipt, and each mail is one message', async () => {
  await eventually(
    () => read(interrupted),
    ({ status }) => status === 'issued',
    90,
  );
  const receipts = await eventually(
    () => receiptsOf(interrupted),
    (all) => all.every(({ mail_status }) => mail_status === 'mailed'),
    60,
  );
  expect(receipts).toHaveLength(30);
  expect(new Set(receipts.map(({ donor_id }) => donor_id)).size).toBe(30);
  const ids = new Set(receipts.map(({ id }) => `<receipt.${id}@example.org>`));
  const mails = catcher.mails.list().filter(({ message_id }) => ids.has(message_id ?? ''));
  expect(new Set(mails.map(({ message_id }) => message_id)).size).toBe(30);
  // Mails that were in flight may arrive twice, as the same message.
  expect(mails.length).toBeLessThanOrEqual(40);
}, 180_000);
