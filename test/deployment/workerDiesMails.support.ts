/** A fan-out, three hundred mails and digests whose worker is killed: every recipient has one notification, and none gets two mails. */
import type { Catcher } from '../../development/standins/mail/catcher.js';
import { inPlatform, inTenant } from '../../models/database/tenancy.js';
import { notifications } from '../../models/finances/notifications.js';
import { notify } from '../../models/notifications/notify.js';
import { publishAlert } from '../../models/platform/alerts/publishAlert.js';
import { notificationDigests } from '../../workflows/contracts/notificationDigests.js';
import { asOwner } from '../support/owner.js';
import { eventually } from '../support/platform.js';
import type { WorkerDeath } from '../support/workerDies.js';
import { anInvoice, aPlatformAdmin, aWorld, type World } from '../support/world.js';

const PEOPLE = 300;
/** The most mails that a crash may leave with an unknown outcome. */
const AT_ONCE = 10;

/** Mails that the worker had claimed are given up after two minutes; this makes them that old. */
async function ageClaims(): Promise<void> {
  const ago = "claimed_at - interval '3 minutes'";
  await asOwner(
    `UPDATE notification_deliveries SET claimed_at = ${ago} WHERE outcome IS NULL AND claimed_at IS NOT NULL`,
  );
  await asOwner(`UPDATE mail_messages SET claimed_at = ${ago} WHERE outcome IS NULL`);
}

/** Creates members. @returns an invoice of each */
async function aCrowd(world: World): Promise<string[]> {
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

async function countOutcomes(): Promise<Record<string, number>> {
  const found = await asOwner<{ outcome: string | null; n: number }>(
    `SELECT outcome, count(*)::int AS n FROM notification_deliveries d JOIN notifications n ON n.id = d.notification_id
      WHERE n.notification_type = 'invoice_issued' AND d.channel = 'email' GROUP BY outcome`,
  );
  return Object.fromEntries(found.map(({ outcome, n }) => [outcome ?? 'open', n]));
}

/** In this order: the digests contain the notifications of the first case. */
export function killedMails(mailbox: Catcher): WorkerDeath[] {
  let world: World;
  const sent = () => mailbox.mails.list();
  const digestsSent = () => sent().filter(({ message_id: id }) => id?.includes('digest.'));

  return [
    {
      name: 'a worker that is killed during three hundred mails leaves at most ten unknown, and no person gets two mails',
      async begin() {
        world = await aWorld({ members: 1 });
        const invoices = await aCrowd(world);
        await inTenant(world.organizationId, () => notify(notifications.invoice_issued, invoices));
        const when = () =>
          eventually(
            async () => sent().length,
            (count) => count >= 60,
            60,
          );
        return {
          kills: [{ when, meanwhile: ageClaims }],
          async after() {
            const ended = await eventually(countOutcomes, ({ open = 0 }) => open === 0, 90);
            const addresses = sent().map(({ to }) => to[0]);
            expect(new Set(addresses).size).toBe(addresses.length);
            expect(ended['unknown'] ?? 0).toBeLessThanOrEqual(AT_ONCE);
            expect((ended['sent'] ?? 0) + (ended['unknown'] ?? 0)).toBe(PEOPLE);
            expect(addresses.length).toBeGreaterThanOrEqual(ended['sent'] as number);
          },
        };
      },
    },
    {
      name: 'a fan-out whose worker is killed notifies every recipient once',
      async begin() {
        const { userId } = await aPlatformAdmin();
        const { id } = await inPlatform(() =>
          publishAlert({ title: 'Maintenance', body: 'Tonight.', audience: 'everyone' }, userId),
        );
        const notified = async () =>
          (
            await asOwner<{ recipient_id: string }>('SELECT recipient_id FROM notifications WHERE subject_id = $1', [
              id,
            ])
          ).map(({ recipient_id }) => recipient_id);
        const when = () =>
          eventually(
            () => asOwner('SELECT 1 FROM notification_fanouts WHERE subject_id = $1', [id]),
            (rows) => rows.length > 0,
            60,
          );
        return {
          kills: [{ when, meanwhile: ageClaims }],
          async after() {
            const everybody = await asOwner<{ user_id: string }>(
              'SELECT DISTINCT user_id FROM affiliations WHERE organization_id = $1',
              [world.organizationId],
            );
            const people = await eventually(notified, (list) => list.length >= everybody.length, 90);
            expect(people.toSorted()).toEqual(everybody.map(({ user_id }) => user_id).toSorted());
          },
        };
      },
    },
    {
      name: 'a worker that is killed during digests leaves at most ten unknown, and no person gets two mails',
      async begin() {
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
        const when = () =>
          eventually(
            async () => digestsSent().length,
            (count) => count >= 60,
            60,
          );
        const digests = () =>
          asOwner<{ sent: boolean; reason: string | null }>(
            'SELECT sent_at IS NOT NULL AS sent, unmailed_reason AS reason FROM notification_digests WHERE organization_id = $1',
            [organizationId],
          );
        return {
          kills: [{ when, meanwhile: ageClaims }],
          async after() {
            const ended = await eventually(
              digests,
              (rows) => rows.every(({ sent: isSent, reason }) => isSent || reason !== null),
              90,
            );
            expect(ended).toHaveLength(people.length);
            const addresses = digestsSent().map(({ to }) => to[0]);
            expect(new Set(addresses).size).toBe(addresses.length);
            const unknown = ended.filter(({ reason }) => reason === 'no_answer').length;
            expect(unknown).toBeLessThanOrEqual(AT_ONCE);
            expect(ended.filter(({ sent: isSent }) => isSent).length + unknown).toBe(people.length);
            expect(addresses.length).toBeGreaterThanOrEqual(people.length - unknown);
          },
        };
      },
    },
  ];
}
