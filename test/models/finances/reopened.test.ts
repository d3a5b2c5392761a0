/** Invoices that are due again after they were paid. */
import '../../../models/wireAreas.js';
import { sequelize } from '../../../models/database/connection.js';
import { oneRow } from '../../../models/database/rows.js';
import { inTenant } from '../../../models/database/tenancy.js';
import { uuidv7 } from '../../../models/database/uuid.js';
import { markInvoicesOverdue } from '../../../models/finances/overdue/markInvoicesOverdue.js';
import { remindPayers } from '../../../models/finances/reminders/remindPayers.js';
import { recordPayment } from '../../../models/finances/recordPayment.js';
import { recordRefund } from '../../../models/finances/recordRefund.js';
import { asOwner, closeOwner } from '../../support/owner.js';
import { anInvoice, aWorld, type World } from '../../support/world.js';
import { aProcessor } from './ledger.support.js';

let world: World;
let processorId: string;

beforeEach(async () => {
  world = await aWorld();
  processorId = await aProcessor(world.organizationId);
  // A day ahead of the database's own for most of it, and morning at noon in UTC at the latest.
  await asOwner(`UPDATE organizations SET timezone = 'Pacific/Kiritimati' WHERE id = $1`, [world.organizationId]);
});
afterAll(async () => {
  await closeOwner();
  await sequelize.close();
});

/** In the time zone of the organization. */
const today = () => new Date(Date.now() + 14 * 3_600_000).toISOString().slice(0, 10);
const inWorld = <T>(work: () => Promise<T>) => inTenant(world.organizationId, work);
const overdue = (dueIn: number) =>
  anInvoice(world, { chapterId: world.chapterId, membershipId: world.member.membershipId, dueIn });
const paid = async (invoiceId: string): Promise<string> => {
  const intentId = uuidv7();
  await inWorld(() =>
    recordPayment({ invoiceId, processorId, processorPaymentId: intentId, intentId, amountCents: 10_000 }),
  );
  return intentId;
};
const givenBack = (intentId: string, refundedCents: number) => inWorld(() => recordRefund({ intentId, refundedCents }));
const mark = () => inWorld(() => markInvoicesOverdue('2999-01-01'));
const pass = (invoiceId: string, days: number) =>
  asOwner('UPDATE chapter_invoices SET due_date = due_date - $2::int WHERE id = $1', [invoiceId, days]);
/** Days from the organization's today until it is due, and was first to be. */
const dueDates = (invoiceId: string) =>
  inWorld(() =>
    oneRow<{ first_days: number | null }>(
      `SELECT i.status, i.due_date - l.today AS days, i.original_due_date - l.today AS first_days, i.overdue_at
         FROM chapter_invoices i, (SELECT app.local_day(timezone) AS today FROM organizations WHERE id = app.org_id()) l
        WHERE i.id = $1`,
      [invoiceId],
    ),
  );
const told = async (type: string) =>
  (
    await asOwner('SELECT 1 FROM notifications WHERE organization_id = $1 AND notification_type = $2', [
      world.organizationId,
      type,
    ])
  ).length;

test('an overdue invoice that was paid and is due again has a week, by its organization’s date', async () => {
  const invoiceId = await overdue(-40);
  expect(await mark()).toBe(1);
  const intentId = await paid(invoiceId);
  await givenBack(intentId, 10_000);
  const reopened = await dueDates(invoiceId);
  expect(reopened).toMatchObject({ status: 'open', days: 7, overdue_at: null });
  // Its organization may have a later date than the database.
  expect([-40, -41]).toContain(reopened.first_days);
  expect([await mark(), await inWorld(() => remindPayers(today()))]).toEqual([0, 0]);
});

test('of its new date its payer is told as of the first, once', async () => {
  const invoiceId = await overdue(-40);
  await mark();
  await givenBack(await paid(invoiceId), 10_000);
  await pass(invoiceId, 8);
  expect([await mark(), await mark()]).toEqual([1, 0]);
  expect(await told('invoice_overdue')).toBe(2);
});

test('one that was only paid in part keeps its date, and so does one whose date is far ahead', async () => {
  const [partly, ahead] = [await overdue(-3), await overdue(30)];
  await givenBack(await paid(ahead), 4_000);
  expect(await dueDates(ahead)).toMatchObject({ status: 'partially_paid', first_days: null });
  const intentId = uuidv7();
  const some = { invoiceId: partly, processorId, processorPaymentId: intentId, intentId, amountCents: 4_000 };
  await inWorld(() => recordPayment(some));
  await givenBack(intentId, 4_000);
  expect(await dueDates(partly)).toMatchObject({ status: 'open', first_days: null });
});

test('whatever makes it due again counts: a second refund does not move the date of one that is due', async () => {
  const invoiceId = await overdue(-40);
  const intentId = await paid(invoiceId);
  await givenBack(intentId, 1_000);
  await pass(invoiceId, 3);
  await givenBack(intentId, 2_000);
  expect(await dueDates(invoiceId)).toMatchObject({ status: 'partially_paid', days: 4 });
});
