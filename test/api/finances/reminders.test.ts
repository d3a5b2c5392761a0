/** The reminders of a day as administrators see them, and the default reminder days. */
import { inTenant } from '../../../models/database/tenancy.js';
import { remindPayers } from '../../../models/finances/reminders/remindPayers.js';
import { asOwner } from '../../support/owner.js';
import { anInvoice, aWorld, type World } from '../../support/world.js';
import { day, stage } from './plans.support.js';

const at = (world: World, query = '') => `/api/hq/dues/${world.organizationId}/reminders/${query}`;
const mails = async (world: World, query = '') => (await stage.as(world.admin).get(at(world, query))).body;
const remind = async (world: World, ahead: number) => {
  const today = await day(world, ahead);
  return inTenant(world.organizationId, () => remindPayers(today));
};

/** Members with old unpaid invoices, each due in the given number of days, in an organization without settings. */
async function owing(...dueIn: number[]): Promise<World> {
  const world = await aWorld({ members: dueIn.length });
  for (const [n, days] of dueIn.entries())
    await anInvoice(world, { chapterId: world.chapterId, membershipId: world.memberships[n] as string, dueIn: days });
  await issuedLongAgo(world);
  return world;
}
const issuedLongAgo = (world: World) =>
  asOwner(`UPDATE chapter_invoices SET created_at = now() - interval '90 days' WHERE organization_id = $1`, [
    world.organizationId,
  ]);

test("an administrator sees the outcomes of a day's reminder mails", async () => {
  const world = await owing(7, 7, 7, 7);
  const today = await day(world, 0);
  const workflow_id = `invoice-reminders/${world.organizationId}/${today}`;
  const nothing = { waiting: 0, mailed: 0, skipped: 0, failed: 0, unknown: 0 };
  expect(await mails(world)).toEqual({ day: today, workflow_id, payers: 0, ...nothing });
  await remind(world, 0);
  expect(await mails(world)).toEqual({ day: today, workflow_id, payers: 4, ...nothing, waiting: 4 });
  const deliveries = await asOwner<{ notification_id: string }>(
    `SELECT notification_id FROM notification_deliveries WHERE organization_id = $1 AND channel = 'email'`,
    [world.organizationId],
  );
  for (const [n, outcome] of ['sent', 'suppressed', 'failed', 'unknown'].entries())
    await asOwner(
      `UPDATE notification_deliveries SET outcome = $2, reason = CASE WHEN $2 <> 'sent' THEN 'no_answer' END, concluded_at = now()
        WHERE notification_id = $1 AND channel = 'email'`,
      [deliveries[n]?.notification_id, outcome],
    );
  const ended = { mailed: 1, skipped: 1, failed: 1, unknown: 1 };
  expect(await mails(world, `?day=${today}`)).toMatchObject({ payers: 4, waiting: 0, ...ended });
  expect(await mails(world, `?day=${await day(world, 1)}`)).toMatchObject({ payers: 0, ...nothing });

  expect((await stage.as(world.admin).get(at(world, '?day=2027-02-30'))).status).toBe(400);
  for (const other of [world.officer, world.regionalAdmin, world.member])
    expect((await stage.as(other).get(at(world))).status).toBe(403);
});

test('by default a reminder lists every invoice due within the next seven days', async () => {
  const world = await owing(12);
  await anInvoice(world, { chapterId: world.chapterId, membershipId: world.member.membershipId, dueIn: 8 });
  await anInvoice(world, { chapterId: world.chapterId, membershipId: world.member.membershipId, dueIn: 20 });
  await issuedLongAgo(world);
  for (const ahead of [1, 5, 7]) expect(await remind(world, ahead)).toBe(1);
  const notices = await asOwner<{ title: string; body: string }>(
    `SELECT title, body FROM notifications WHERE organization_id = $1 ORDER BY id`,
    [world.organizationId],
  );
  expect(notices.map(({ title }) => title)).toEqual(['Due soon: Dues', 'Due soon: 2 invoices', 'Due soon: 2 invoices']);
  expect(notices[2]?.body).toContain('(tomorrow,');
  expect(notices[2]?.body).toContain('(in 5 days,');
});
