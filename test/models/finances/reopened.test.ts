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
  // This zone is a day ahead of the database for most of the day.
  await asOwner(`UPDATE organizations SET timezone = 'Pacific/Kiritimati' WHERE id = $1`, [world.organizationId]);
});
afterAll(async () => {
  await closeOwner();
  await sequelize.close();
});

/** Today in the time zone of the organization. */
const today = () => new Date(Date.now() + 14 * 3_600_000).toISOString().slice(0, 10);
const inWorld = <T>(work: () => Promise<T>) => inTenant(world.organizationId, work);
const anInvoiceDue = (dueIn: number) =>
  anInvoice(world, { chapterId: world.chapterId, membershipId: world.member.membershipId, dueIn });
const pay = async (invoiceId: string): Promise<string> => {
  const intentId = uuidv7();
  await inWorld(() =>
    recordPayment({ invoiceId, processorId, processorPaymentId: intentId, intentId, amountCents: 10_000 }),
  );
  return intentId;
};
const refund = (intentId: string, refundedCents: number) => inWorld(() => recordRefund({ intentId, refundedCents }));
const mark = () => inWorld(() => markInvoicesOverdue('2999-01-01'));
const letDaysPass = (invoiceId: string, days: number) =>
  asOwner('UPDATE chapter_invoices SET due_date = due_date - $2::int WHERE id = $1', [invoiceId, days]);
/** Days from the organization's today to the due date and to the original due date. */
const dueDates = (invoiceId: string) =>
  inWorld(() =>
    oneRow<{ first_days: number | null }>(
      `SELECT i.status, i.due_date - l.today AS days, i.original_due_date - l.today AS first_days, i.overdue_at
         FROM chapter_invoices i, (SELECT app.local_day(timezone) AS today FROM organizations WHERE id = app.org_id()) l
        WHERE i.id = $1`,
      [invoiceId],
    ),
  );
const countNotifications = async (type: string) =>
  (
    await asOwner('SELECT 1 FROM notifications WHERE organization_id = $1 AND notification_type = $2', [
      world.organizationId,
      type,
    ])
  ).length;

test('a refunded invoice that was overdue is due in a week, by its organization’s date', async () => {
  const invoiceId = await anInvoiceDue(-40);
  expect(await mark()).toBe(1);
  const intentId = await pay(invoiceId);
  await refund(intentId, 10_000);
  const reopened = await dueDates(invoiceId);
  expect(reopened).toMatchObject({ status: 'open', days: 7, overdue_at: null });
  // The organization may have a later date than the database.
  expect([-40, -41]).toContain(reopened.first_days);
  expect([await mark(), await inWorld(() => remindPayers(today()))]).toEqual([0, 0]);
});

test('the payer of a refunded invoice is notified once when its new due date has passed', async () => {
  const invoiceId = await anInvoiceDue(-40);
  await mark();
  await refund(await pay(invoiceId), 10_000);
  await letDaysPass(invoiceId, 8);
  expect([await mark(), await mark()]).toEqual([1, 0]);
  expect(await countNotifications('invoice_overdue')).toBe(2);
});

test('a partly paid invoice and one that is due much later keep their dates after a refund', async () => {
  const [partly, ahead] = [await anInvoiceDue(-3), await anInvoiceDue(30)];
  await refund(await pay(ahead), 4_000);
  expect(await dueDates(ahead)).toMatchObject({ status: 'partially_paid', first_days: null });
  const intentId = uuidv7();
  const some = { invoiceId: partly, processorId, processorPaymentId: intentId, intentId, amountCents: 4_000 };
  await inWorld(() => recordPayment(some));
  await refund(intentId, 4_000);
  expect(await dueDates(partly)).toMatchObject({ status: 'open', first_days: null });
});

test('a second refund does not move the date of an invoice that is due again already', async () => {
  const invoiceId = await anInvoiceDue(-40);
  const intentId = await pay(invoiceId);
  await refund(intentId, 1_000);
  await letDaysPass(invoiceId, 3);
  await refund(intentId, 2_000);
  expect(await dueDates(invoiceId)).toMatchObject({ status: 'partially_paid', days: 4 });
});
