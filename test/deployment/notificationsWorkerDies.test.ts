/**
 * Workers that are killed during a fan-out, three hundred mails and digests: every recipient has one notification, and none gets
 * two mails.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import '../../models/wireAreas.js';
import type { Catcher } from '../../development/standins/mail/catcher.js';
import { closeTemporal } from '../../gateways/temporal/client.js';
import { registerSearchAttributes } from '../../gateways/temporal/searchAttributes.js';
import { sequelize } from '../../models/database/connection.js';
import { inPlatform, inTenant } from '../../models/database/tenancy.js';
import { notifications } from '../../models/finances/notifications.js';
import { notify } from '../../models/notifications/notify.js';
import { notificationDigests } from '../../workflows/contracts/notificationDigests.js';
import { publishAlert } from '../../models/platform/alerts/publishAlert.js';
import { startMailServer, stopMailServer } from '../support/accountMail.js';
import { asOwner, closeOwner } from '../support/owner.js';
import { eventually } from '../support/platform.js';
import { anInvoice, aPlatformAdmin, aWorld, type World } from '../support/world.js';

const PEOPLE = 300;
/** The most mails that a crash may leave with an unknown outcome. */
const AT_ONCE = 10;

let mailbox: Catcher;
let world: World;
const workers: ChildProcess[] = [];

beforeAll(async () => {
  mailbox = await startMailServer();
  await registerSearchAttributes();
  world = await aWorld({ members: 1 });
});
afterAll(async () => {
  for (const worker of workers) worker.kill('SIGKILL');
  await stopMailServer(mailbox);
  await closeTemporal();
  await closeOwner();
  await sequelize.close();
});

function startWorker(): ChildProcess {
  const worker = spawn(process.execPath, [path.resolve('dist/bin/worker.js')], {
    env: { ...process.env, SMTP_URL: mailbox.smtpUrl, RELAY_SWEEP_SECONDS: '1' },
    stdio: 'ignore',
  });
  workers.push(worker);
  return worker;
}

async function kill(worker: ChildProcess): Promise<void> {
  worker.kill('SIGKILL');
  await once(worker, 'exit');
  // Mails that the worker had claimed are given up after two minutes; this makes them that old.
  const ago = "claimed_at - interval '3 minutes'";
  await asOwner(
    `UPDATE notification_deliveries SET claimed_at = ${ago} WHERE outcome IS NULL AND claimed_at IS NOT NULL`,
  );
  await asOwner(`UPDATE mail_messages SET claimed_at = ${ago} WHERE outcome IS NULL`);
}

/** Members, and an invoice of each. */
async function aCrowd(): Promise<string[]> {
  const members = await asOwner<{ id: string }>(
    `WITH people AS (
       INSERT INTO users (email, first_name, last_name)
       SELECT 'crowd-' || n || '@example.org', 'A', 'B' FROM generate_series(1, $2) n RETURNING id)
     INSERT INTO memberships (organization_id, user_id, chapter_id) SELECT $1, id, $3 FROM people RETURNING id`,
    [world.organizationId, PEOPLE, world.chapterId],
  );
  const invoices = [];
  for (const { id } of members) invoices.push(await anInvoice(world, { chapterId: world.chapterId, membershipId: id }));
  return invoices;
}

const outcomes = async () => {
  const found = await asOwner<{ outcome: string | null; n: number }>(
    `SELECT outcome, count(*)::int AS n FROM notification_deliveries d JOIN notifications n ON n.id = d.notification_id
      WHERE n.notification_type = 'invoice_issued' AND d.channel = 'email' GROUP BY outcome`,
  );
  return Object.fromEntries(found.map(({ outcome, n }) => [outcome ?? 'open', n]));
};
const sent = () => mailbox.mails.list();
const digestsSent = () => sent().filter(({ message_id: id }) => id?.includes('digest.'));

test('a worker that is killed during three hundred mails leaves at most ten unknown, and no person gets two mails', async () => {
  const invoices = await aCrowd();
  await inTenant(world.organizationId, () => notify(notifications.invoice_issued, invoices));
  const doomed = startWorker();
  await eventually(
    async () => sent().length,
    (count) => count >= 60,
    60,
  );
  await kill(doomed);
  startWorker();
  const ended = await eventually(outcomes, ({ open = 0 }) => open === 0, 90);
  const addresses = sent().map(({ to }) => to[0]);
  expect(new Set(addresses).size).toBe(addresses.length);
  expect(ended['unknown'] ?? 0).toBeLessThanOrEqual(AT_ONCE);
  expect((ended['sent'] ?? 0) + (ended['unknown'] ?? 0)).toBe(PEOPLE);
  expect(addresses.length).toBeGreaterThanOrEqual(ended['sent'] as number);
});

test('a fan-out whose worker is killed notifies every recipient once', async () => {
  const { userId } = await aPlatformAdmin();
  const { id } = await inPlatform(() =>
    publishAlert({ title: 'Maintenance', body: 'Tonight.', audience: 'everyone' }, userId),
  );
  const made = async () =>
    (await asOwner<{ recipient_id: string }>('SELECT recipient_id FROM notifications WHERE subject_id = $1', [id])).map(
      ({ recipient_id }) => recipient_id,
    );
  await eventually(
    () => asOwner('SELECT 1 FROM notification_fanouts WHERE subject_id = $1', [id]),
    (rows) => rows.length > 0,
    60,
  );
  await kill(workers.at(-1) as ChildProcess);
  startWorker();
  const everybody = await asOwner<{ user_id: string }>(
    'SELECT DISTINCT user_id FROM affiliations WHERE organization_id = $1',
    [world.organizationId],
  );
  const people = await eventually(made, (list) => list.length >= everybody.length, 90);
  expect(people.toSorted()).toEqual(everybody.map(({ user_id }) => user_id).toSorted());
});

test('a worker that is killed during digests leaves at most ten unknown, and no person gets two mails', async () => {
  const { organizationId } = world;
  mailbox.mails.clear();
  const people = await asOwner<{ user_id: string }>(
    `INSERT INTO digest_preferences (organization_id, user_id, frequency)
     SELECT organization_id, user_id, 'daily' FROM memberships WHERE organization_id = $1 RETURNING user_id`,
    [organizationId],
  );
  // Notifications of before go into the digest; the day is chosen so that they are within its period.
  const [{ day }] = (await asOwner<{ day: string }>(
    `SELECT to_char(now() AT TIME ZONE 'UTC' + interval '17 hours', 'YYYY-MM-DD') AS day`,
  )) as [{ day: string }];
  const input = { organizationId, day };
  await asOwner('INSERT INTO outbox (organization_id, process, workflow_id, input) VALUES ($1, $2, $3, $4)', [
    organizationId,
    notificationDigests.name,
    notificationDigests.workflowId(input),
    JSON.stringify(input),
  ]);
  await eventually(
    async () => digestsSent().length,
    (count) => count >= 60,
    60,
  );
  await kill(workers.at(-1) as ChildProcess);
  startWorker();
  const made = () =>
    asOwner<{ sent: boolean; reason: string | null }>(
      'SELECT sent_at IS NOT NULL AS sent, unmailed_reason AS reason FROM notification_digests WHERE organization_id = $1',
      [organizationId],
    );
  const ended = await eventually(made, (rows) => rows.every(({ sent, reason }) => sent || reason !== null), 90);
  expect(ended).toHaveLength(people.length);
  const addresses = digestsSent().map(({ to }) => to[0]);
  expect(new Set(addresses).size).toBe(addresses.length);
  const unknown = ended.filter(({ reason }) => reason === 'no_answer').length;
  expect(unknown).toBeLessThanOrEqual(AT_ONCE);
  expect(ended.filter(({ sent }) => sent).length + unknown).toBe(people.length);
  expect(addresses.length).toBeGreaterThanOrEqual(people.length - unknown);
});
