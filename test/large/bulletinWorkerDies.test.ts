/** A bulletin of a foundation whose workers are killed while they send. */
import { type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Catcher } from '../../development/standins/mail/catcher.js';
import { temporal } from '../../gateways/temporal/client.js';
import { registerSearchAttributes } from '../../gateways/temporal/searchAttributes.js';
import { startMailServer, stopMailServer } from '../support/accountMail.js';
import { apiWorld } from '../support/apiWorld.js';
import { aFoundation, type Foundation } from '../support/foundation.js';
import { recordHistory } from '../support/histories.js';
import { asOwner } from '../support/owner.js';
import { eventually, spawnPart } from '../support/platform.js';

const stage = apiWorld();
const { world } = stage;

const DONORS = 300;
/** Number of mails after which a worker is killed. */
const KILLS = [60, 150];
let catcher: Catcher;
let foundation: Foundation;
const workers: ChildProcess[] = [];

const startWorker = (): ChildProcess => {
  const { smtpUrl: SMTP_URL } = catcher;
  const worker = spawnPart('worker', { url: 'http://127.0.0.1:1' }, { SMTP_URL, WORKER_QUEUES: 'bulk' });
  workers.push(worker);
  return worker;
};

beforeAll(async () => {
  await registerSearchAttributes();
  foundation = await aFoundation(world);
  catcher = await startMailServer();
  await asOwner(
    `INSERT INTO donors (organization_id, email, first_name, last_name, gift_count)
     SELECT $1, 'donor-' || n || '@example.org', 'Ada', 'Lovelace', 1 FROM generate_series(1, $2::int) n`,
    [world.organizationId, DONORS],
  );
});
afterAll(async () => {
  for (const worker of workers) {
    worker.kill('SIGTERM');
    if (worker.exitCode === null && worker.signalCode === null) await once(worker, 'exit');
  }
  await stopMailServer(catcher);
});

test('a bulletin to 300 recipients, whose workers are killed while they send, mails nobody twice and loses nobody', async () => {
  const admin = stage.as(foundation.admin);
  const text = { subject: 'News', body_text: 'Thank you', audience: 'all_donors' };
  const id: string = (await admin.post('/api/foundation/bulletins/', text)).body.id;
  const path = `/api/foundation/bulletins/${id}/`;
  const workflow = temporal().workflow.getHandle(`foundation-bulletin/${id}/1`);
  let worker = startWorker();
  expect((await admin.post(`${path}send/`)).status).toBe(200);
  for (const count of KILLS) {
    await eventually(
      async () => catcher.mails.list().length,
      (caught) => caught >= count,
      60,
    );
    worker.kill('SIGKILL');
    await once(worker, 'exit');
    expect((await admin.get(path)).body.status).toBe('sending');
    worker = startWorker();
  }
  expect(await workflow.result()).toBe('sent');
  await recordHistory(workflow.workflowId, 'foundationBulletin-sent-after-kills');

  const mailed = catcher.mails.list().flatMap(({ to }) => to);
  expect(new Set(mailed).size).toBe(mailed.length);
  const { status, recipients } = (await admin.get(path)).body;
  expect(status).toBe('sent');
  expect(recipients).toMatchObject({ pending: 0, bounced: 0, skipped: 0 });
  expect(recipients.sent + recipients.failed).toBe(DONORS);
  // At most ten mails were in flight at each kill.
  expect(recipients.failed).toBeLessThanOrEqual(10 * KILLS.length);
  const found = await asOwner<{ email: string; reason: string }>(
    "SELECT email, reason FROM foundation_bulletin_recipients WHERE bulletin_id = $1 AND status = 'failed'",
    [id],
  );
  expect(new Set(found.map(({ reason }) => reason)).size).toBeLessThanOrEqual(1);
  if (found.length > 0) expect(found[0]?.reason).toBe('outcome_unknown');
  const missing = Array.from({ length: DONORS }, (_, n) => `donor-${n + 1}@example.org`).filter(
    (email) => !mailed.includes(email),
  );
  expect(found.map(({ email }) => email)).toEqual(expect.arrayContaining(missing));
}, 180_000);
