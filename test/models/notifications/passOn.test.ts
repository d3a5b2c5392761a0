/** A notice that cannot be delivered, since its recipient may not see it any more, goes to the next in line. */
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

/** Whom the mails that are due now go to, and why others get none. */
async function deliver(): Promise<{ mailed: string[]; suppressed: (string | null)[] }> {
  const { claimed, suppressed } = await inWorld(() => claimDeliveries('email', 50));
  return {
    mailed: claimed.map(({ address }) => address),
    suppressed: suppressed.map(({ recipientId, reason }) => `${recipientId}: ${reason}`),
  };
}

/** The chapter owes it, and its treasurer was told that it is overdue. */
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

test('without another officer it goes to an administrator', async () => {
  await anOverdueInvoice();
  await anOverdueInvoice();
  await setRole(world.officer, 'member');
  expect(await deliver()).toMatchObject({ mailed: [] });
  expect(await deliver()).toEqual({ mailed: [world.admin.email, world.admin.email], suppressed: [] });
});

test('the account of an officer that is disabled counts as an office that is lost', async () => {
  await anOverdueInvoice();
  await asOwner('UPDATE users SET disabled_at = now() WHERE id = $1', [world.officer.userId]);
  expect(await deliver()).toMatchObject({ mailed: [] });
  expect(await deliver()).toEqual({ mailed: [world.admin.email], suppressed: [] });
});

test('whoever takes the office over and loses it as well passes it on', async () => {
  await anOverdueInvoice();
  await setRole(world.officer, 'member');
  const next = await aMember(world.organizationId, world.chapterId, 'officer');
  await deliver();
  await setRole(next, 'member');
  expect(await deliver()).toMatchObject({ suppressed: [`${next.userId}: withdrawn`] });
  expect(await deliver()).toEqual({ mailed: [world.admin.email], suppressed: [] });
});

test('what is true no more is passed on to nobody', async () => {
  const id = await anOverdueInvoice();
  await setRole(world.officer, 'member');
  await asOwner(`UPDATE chapter_invoices SET status = 'void', voided_at = now() WHERE id = $1`, [id]);
  expect(await deliver()).toMatchObject({ mailed: [], suppressed: [`${world.officer.userId}: withdrawn`] });
  expect(await deliver()).toEqual({ mailed: [], suppressed: [] });
});

test('a notice to a person about what is their own stays theirs', async () => {
  const id = await anInvoice(world, { chapterId: world.chapterId, membershipId: world.member.membershipId, dueIn: -3 });
  await inWorld(() => notify(notifications.invoice_overdue, [id], { actor: null }));
  await asOwner(`UPDATE chapter_invoices SET status = 'void', voided_at = now() WHERE id = $1`, [id]);
  await deliver();
  const rows = await asOwner('SELECT recipient_id FROM notifications WHERE organization_id = $1', [
    world.organizationId,
  ]);
  expect(rows).toEqual([{ recipient_id: world.member.userId }]);
});

test('a remittance that could not be paid is told to the treasurer of now, where its officer has lost the office', async () => {
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
