/** A notification that its recipient may not see any more is passed to the next recipient. */
import '../../../models/wireAreas.js';
import { sequelize } from '../../../models/database/connection.js';
import { inTenant } from '../../../models/database/tenancy.js';
import { notifications } from '../../../models/finances/notifications.js';
import { claimDeliveries } from '../../../models/notifications/deliveries/claimDeliveries.js';
import { notify } from '../../../models/notifications/notify.js';
import { asOwner, closeOwner } from '../../support/owner.js';
import { aMember, anInvoice, aWorld, type Person, type World } from '../../support/world.js';

let world: World;
beforeEach(async () => {
  world = await aWorld({ members: 1 });
});
afterAll(async () => {
  await closeOwner();
  await sequelize.close();
});

const inWorld = <T>(work: () => Promise<T>) => inTenant(world.organizationId, work);
const setRole = (of: Person, role: string) =>
  asOwner('UPDATE memberships SET role = $2 WHERE id = $1', [of.membershipId, role]);

/** The recipients of the mails that are due now, and the reasons of the others. */
async function deliver(): Promise<{ mailed: string[]; suppressed: (string | null)[] }> {
  const { claimed, suppressed } = await inWorld(() => claimDeliveries('email', 50));
  return {
    mailed: claimed.map(({ address }) => address),
    suppressed: suppressed.map(({ recipientId, reason }) => `${recipientId}: ${reason}`),
  };
}

/** An overdue invoice of the chapter, about which its treasurer was notified. */
async function anOverdueInvoice(cents = 12_345): Promise<string> {
  const id = await anInvoice(world, { chapterId: world.chapterId, membershipId: null, cents, dueIn: -3 });
  await inWorld(() => notify(notifications.invoice_overdue, [id], { actor: null, cause: 'overdue:2026-01-01' }));
  return id;
}

test('an overdue notice of an officer who lost the office goes to the president, and is mailed once', async () => {
  await anOverdueInvoice();
  await setRole(world.officer, 'member');
  const president = await aMember(world.organizationId, world.chapterId, 'president');
  expect(await deliver()).toEqual({ mailed: [], suppressed: [`${world.officer.userId}: withdrawn`] });
  expect(await deliver()).toEqual({ mailed: [president.email], suppressed: [] });
  const events = await asOwner('SELECT DISTINCT event_id FROM notifications WHERE organization_id = $1', [
    world.organizationId,
  ]);
  expect(events).toHaveLength(1);
});

test('an overdue notice goes to an administrator when the chapter has no other officer', async () => {
  await anOverdueInvoice();
  await anOverdueInvoice();
  await setRole(world.officer, 'member');
  expect(await deliver()).toMatchObject({ mailed: [] });
  expect(await deliver()).toEqual({ mailed: [world.admin.email, world.admin.email], suppressed: [] });
});

test('a disabled account of an officer counts as a lost office', async () => {
  await anOverdueInvoice();
  await asOwner('UPDATE users SET disabled_at = now() WHERE id = $1', [world.officer.userId]);
  expect(await deliver()).toMatchObject({ mailed: [] });
  expect(await deliver()).toEqual({ mailed: [world.admin.email], suppressed: [] });
});

test('the next officer who loses the office as well passes the notice on', async () => {
  await anOverdueInvoice();
  await setRole(world.officer, 'member');
  const next = await aMember(world.organizationId, world.chapterId, 'officer');
  await deliver();
  await setRole(next, 'member');
  expect(await deliver()).toMatchObject({ suppressed: [`${next.userId}: withdrawn`] });
  expect(await deliver()).toEqual({ mailed: [world.admin.email], suppressed: [] });
});

test('a notice that is not true any more is not passed on', async () => {
  const id = await anOverdueInvoice();
  await setRole(world.officer, 'member');
  await asOwner(`UPDATE chapter_invoices SET status = 'void', voided_at = now() WHERE id = $1`, [id]);
  expect(await deliver()).toMatchObject({ mailed: [], suppressed: [`${world.officer.userId}: withdrawn`] });
  expect(await deliver()).toEqual({ mailed: [], suppressed: [] });
});

test('a notice to a person about their own data is not passed on', async () => {
  const id = await anInvoice(world, { chapterId: world.chapterId, membershipId: world.member.membershipId, dueIn: -3 });
  await inWorld(() => notify(notifications.invoice_overdue, [id], { actor: null }));
  await asOwner(`UPDATE chapter_invoices SET status = 'void', voided_at = now() WHERE id = $1`, [id]);
  await deliver();
  const rows = await asOwner('SELECT recipient_id FROM notifications WHERE organization_id = $1', [
    world.organizationId,
  ]);
  expect(rows).toEqual([{ recipient_id: world.member.userId }]);
});

test('a notice of a failed remittance goes to the current treasurer when its officer has lost the office', async () => {
  const [remittance] = await asOwner<{ id: string }>(
    `INSERT INTO chapter_remittances (organization_id, chapter_id, created_by, total_cents) VALUES ($1, $2, $3, 5000) RETURNING id`,
    [world.organizationId, world.chapterId, world.officer.userId],
  );
  await inWorld(() => notify(notifications.remittance_failed, [(remittance as { id: string }).id], { actor: null }));
  await setRole(world.officer, 'member');
  const next = await aMember(world.organizationId, world.chapterId, 'officer');
  expect(await deliver()).toMatchObject({ suppressed: [`${world.officer.userId}: withdrawn`] });
  expect(await deliver()).toEqual({ mailed: [next.email], suppressed: [] });
});
