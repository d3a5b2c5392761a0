/** Notifications of finances: their recipients, and the amounts that these may see. */
import '../../../models/wireAreas.js';
import { sequelize } from '../../../models/database/connection.js';
import { lockForEdit } from '../../../models/database/model/change.js';
import { inTenant } from '../../../models/database/tenancy.js';
import { uuidv7 } from '../../../models/database/uuid.js';
import { concludeAttempt } from '../../../models/finances/attempts/concludeAttempt.js';
import { flagStrayCapture } from '../../../models/finances/captures/flagStrayCapture.js';
import { refundCapture } from '../../../models/finances/captures/refundCapture.js';
import { keepAsCredit, refundUnmatched } from '../../../models/finances/captures/resolveUnmatched.js';
import { cancelDuesRun } from '../../../models/finances/dues-runs/cancelDuesRun.js';
import { completeDuesRun, issueNextChapters } from '../../../models/finances/dues-runs/issuePlanned.js';
import { previewDuesRun } from '../../../models/finances/dues-runs/previewDuesRun.js';
import { startDuesRun } from '../../../models/finances/dues-runs/startDuesRun.js';
import { recordFailedPayment, recordPayment } from '../../../models/finances/recordPayment.js';
import { recordRefund } from '../../../models/finances/recordRefund.js';
import { reviewRefundRequest } from '../../../models/finances/refunds/decideOnRequest.js';
import { refundAsOfficer } from '../../../models/finances/refunds/refundAsOfficer.js';
import { RefundRequest } from '../../../models/finances/refunds/RefundRequest.js';
import { resolveRemittance } from '../../../models/finances/remittances/resolveRemittance.js';
import { settleRemittance } from '../../../models/finances/remittances/settleRemittance.js';
import { notifications as types } from '../../../models/finances/notifications.js';
import { claimDeliveries } from '../../../models/notifications/deliveries/claimDeliveries.js';
import { notify } from '../../../models/notifications/notify.js';
import { asOwner, closeOwner } from '../../support/owner.js';
import { paidByHand } from '../../support/payments.js';
import { aMember, anInvoice, aWorld, type World } from '../../support/world.js';
import { aProcessor, aRemittance } from './ledger.support.js';

let world: World;
let processorId: string;

beforeEach(async () => {
  world = await aWorld();
  processorId = await aProcessor(world.organizationId);
});
afterAll(async () => {
  await closeOwner();
  await sequelize.close();
});

const as = <T>(userId: string | null, work: () => Promise<T>) =>
  inTenant(world.organizationId, work, { origin: { userId, requestId: null, ipAddress: null } });
const inWorld = <T>(work: () => Promise<T>) => as(null, work);

interface NotificationRow {
  type: string;
  who: string;
  title: string;
  body: string;
  url: string;
  unlisted: string | null;
  open: boolean;
}
/** The notifications of a type, in order. */
const read = (type: string) =>
  asOwner<NotificationRow>(
    `SELECT notification_type AS type, recipient_id AS who, title, body, target_url AS url, unlisted_reason AS unlisted,
            requires_action AND resolved_at IS NULL AND read_at IS NULL AS open
       FROM notifications WHERE organization_id = $1 AND notification_type = $2 ORDER BY id`,
    [world.organizationId, type],
  );
const hideAmounts = () =>
  asOwner('UPDATE org_dues_settings SET officers_see_amounts = false WHERE organization_id = $1', [
    world.organizationId,
  ]);

describe('dues', () => {
  beforeEach(async () => {
    await asOwner(
      `INSERT INTO dues_rates (organization_id, term_id, status, amount_cents) VALUES ($1, $2, 'undergrad', 12500)`,
      [world.organizationId, world.termId],
    );
  });
  const DUE = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
  const startRun = async (): Promise<string> => {
    const { preview_hash } = await inWorld(() => previewDuesRun(world.termId, DUE, null));
    return (await as(world.admin.userId, () => startDuesRun(world.termId, DUE, preview_hash))).id;
  };

  test('a dues run notifies the billed members once, and the admin who started it of its end', async () => {
    const run = await startRun();
    await inWorld(() => issueNextChapters(run, null));
    await inWorld(() => issueNextChapters(run, null));
    const issued = await asOwner<{ user_id: string; id: string }>(
      `SELECT m.user_id, i.id FROM chapter_invoices i JOIN memberships m ON m.id = i.membership_id
        WHERE i.dues_run_id = $1 ORDER BY i.id`,
      [run],
    );
    expect(issued.length).toBeGreaterThan(3);
    const rows = await read('invoice_issued');
    expect(rows.map(({ who, url }) => ({ who, url })).toSorted((a, b) => (a.url < b.url ? -1 : 1))).toEqual(
      issued
        .map(({ user_id, id }) => ({ who: user_id, url: `/invoices/${id}` }))
        .toSorted((a, b) => (a.url < b.url ? -1 : 1)),
    );
    expect(rows[0]).toMatchObject({
      title: 'New invoice: Dues, Current',
      body: expect.stringContaining('125.00 USD is due'),
    });

    for (let again = 0; again < 2; again += 1) await inWorld(() => completeDuesRun(run));
    expect(await read('dues_run_ended')).toEqual([
      expect.objectContaining({
        who: world.admin.userId,
        title: 'Dues of Current: completed',
        body: `Invoices issued: ${issued.length} of ${issued.length}.`,
        unlisted: null,
      }),
    ]);
  });

  test("the notification about a person's own action is unlisted", async () => {
    const run = await startRun();
    await as(world.admin.userId, () => cancelDuesRun(run));
    expect(await read('dues_run_ended')).toEqual([expect.objectContaining({ unlisted: 'own_action' })]);
  });
});

const payment = (invoiceId: string, id = uuidv7()) => ({
  invoiceId,
  processorId,
  processorPaymentId: id,
  intentId: id,
  amountCents: 4_000,
});
const ofMember = () => anInvoice(world, { chapterId: world.chapterId, membershipId: world.member.membershipId });

test('a payment notifies its payer once, with the balance that is still due', async () => {
  const one = payment(await ofMember());
  for (let again = 0; again < 2; again += 1) await inWorld(() => recordPayment(one));
  expect(await read('payment_recorded')).toEqual([
    expect.objectContaining({
      who: world.member.userId,
      title: 'Payment received: Dues',
      body: 'We recorded a payment of 40.00 USD for "Dues". 60.00 USD is still due.',
      url: `/invoices/${one.invoiceId}`,
    }),
  ]);
});

test('a failed payment notifies its payer once, and a later success replaces that notification', async () => {
  const one = payment(await ofMember());
  for (const failureCode of ['card_declined', 'expired_card'])
    await inWorld(() => recordFailedPayment({ ...one, failureCode }));
  expect(await read('payment_failed')).toHaveLength(1);
  await inWorld(() => recordPayment(one));
  const { claimed } = await inWorld(() => claimDeliveries('email', 10));
  expect(claimed.map(({ notificationType }) => notificationType)).toEqual(['payment_recorded']);
});

test('a refund, its failure and a repeated refund notify the payer once each', async () => {
  const one = payment(await ofMember());
  await inWorld(() => recordPayment(one));
  const reportRefund = (refundedCents: number) =>
    inWorld(() => recordRefund({ intentId: one.intentId, refundedCents, mayBeLess: true }));
  await reportRefund(1_000);
  await reportRefund(1_000);
  expect(await read('payment_refunded')).toEqual([
    expect.objectContaining({
      who: world.member.userId,
      body: 'A payment for "Dues" was refunded. Refunded in total: 10.00 USD. 70.00 USD is still due.',
    }),
  ]);
  await reportRefund(0);
  expect(await read('payment_not_refunded')).toHaveLength(1);
  await reportRefund(1_000);
  expect(await read('payment_refunded')).toHaveLength(2);
});

test('a settled remittance notifies each payer and the officer who pays it once', async () => {
  const { remittanceId, intentId } = await aRemittance(world, processorId, 30_000);
  await inWorld(() => settleRemittance({ remittanceId, processorId, intentId, amountCents: 30_000 }));
  const paid = await read('payment_recorded');
  expect(paid).toHaveLength(3);
  expect(new Set(paid.map(({ who }) => who)).size).toBe(3);
  expect(await read('remittance_settled')).toEqual([
    expect.objectContaining({
      who: world.officer.userId,
      body: 'A remittance of 300.00 USD is settled. Invoices paid with it: 3.',
      url: `/remittances/${remittanceId}`,
    }),
  ]);
});

test('a failed remittance notifies the officer who tried to pay it once per attempt', async () => {
  const { attemptId } = await aRemittance(world, processorId, null);
  for (let again = 0; again < 2; again += 1)
    await inWorld(() => concludeAttempt({ attemptId }, { status: 'failed', failureCode: 'card_declined' }));
  expect(await read('remittance_failed')).toEqual([expect.objectContaining({ who: world.officer.userId })]);
});

const disable = (...people: string[]) => asOwner('UPDATE users SET disabled_at = now() WHERE id = ANY($1)', [people]);

test('the invoice of a chapter notifies its officer, its president or the admins, the first with an active account', async () => {
  const president = (await aMember(world.organizationId, world.chapterId, 'president')).userId;
  const issue = async () => {
    const id = await anInvoice(world, { chapterId: world.chapterId, membershipId: null });
    await inWorld(() => notify(types.invoice_issued, [id]));
    return (await read('invoice_issued')).at(-1)?.who;
  };
  expect(await issue()).toBe(world.officer.userId);
  await disable(world.officer.userId);
  expect(await issue()).toBe(president);
  await disable(president);
  expect(await issue()).toBe(world.admin.userId);
  // The invoice of a member notifies the member even if their account is disabled.
  await disable(world.member.userId);
  const own = await anInvoice(world, { chapterId: world.chapterId, membershipId: world.member.membershipId });
  await inWorld(() => notify(types.invoice_issued, [own]));
  expect((await read('invoice_issued')).at(-1)?.who).toBe(world.member.userId);
});

describe('notifications of a flagged remittance', () => {
  let treasurer: string;
  beforeEach(async () => {
    treasurer = (await aMember(world.organizationId, world.chapterId, 'president')).userId;
  });
  const open = async () => (await read('remittance_flagged')).filter((row) => row.open).map(({ who }) => who);

  test('the notification is open for the officers of the chapter until one of them resolves the remittance', async () => {
    const { remittanceId, invoices } = await aRemittance(world, processorId, 29_999);
    expect(new Set(await open())).toEqual(new Set([world.officer.userId, treasurer]));
    const shares = invoices.map((invoice, n) => ({ invoice, amount_cents: n === 0 ? 9_999 : 10_000 }));
    await as(treasurer, () => resolveRemittance(remittanceId, shares, 'Looked at.', treasurer));
    expect(await open()).toEqual([]);
    // Mails about the flag are not sent any more, and the payers are notified.
    const { claimed } = await inWorld(() => claimDeliveries('email', 50));
    expect(new Set(claimed.map(({ notificationType }) => notificationType))).toEqual(
      new Set(['payment_recorded', 'remittance_settled']),
    );
  });

  test('the notification is open for the administrators if the accounts of all officers are disabled', async () => {
    await disable(world.officer.userId, treasurer);
    await aRemittance(world, processorId, 29_999);
    expect(await open()).toEqual([world.admin.userId]);
  });

  test('the notification stays open while another charge of the remittance is flagged', async () => {
    const { remittanceId, invoices } = await aRemittance(world, processorId, 29_999);
    const second = { remittanceId, processorId, intentId: `pi_${uuidv7()}`, amountCents: 10_000 };
    await inWorld(() => settleRemittance(second));
    expect(await open()).toHaveLength(4);
    const shares = invoices.map((invoice, n) => ({ invoice, amount_cents: n === 0 ? 9_999 : 10_000 }));
    await as(treasurer, () => resolveRemittance(remittanceId, shares, 'The first.', treasurer));
    expect(await open()).toHaveLength(4);
  });

  test('the notification closes when the processor has refunded the whole charge', async () => {
    const { intentId } = await aRemittance(world, processorId, 29_999);
    await inWorld(() => refundCapture(processorId, intentId, 29_999));
    expect(await open()).toEqual([]);
  });

  test('the notification shows no amounts to officers who see none, and goes to admins where there is no officer', async () => {
    await hideAmounts();
    await aRemittance(world, processorId, 29_999);
    for (const { title, body } of await read('remittance_flagged')) expect(`${title} ${body}`).not.toMatch(/\d|USD/);
    await asOwner(`UPDATE memberships SET role = 'member' WHERE chapter_id = $1`, [world.chapterId]);
    await aRemittance(world, processorId, 29_998);
    const last = (await read('remittance_flagged')).at(-1);
    expect(last).toMatchObject({ who: world.admin.userId, body: expect.stringContaining('299.98 USD') });
  });
});

describe('notifications of unmatched money', () => {
  const stray = async (): Promise<string> => {
    const intentId = `pi_${uuidv7()}`;
    const charge = { processorId, intentId, amountCents: 700, currency: 'usd' };
    for (let again = 0; again < 2; again += 1) await inWorld(() => flagStrayCapture(charge));
    const [row] = await asOwner<{ id: string }>('SELECT id FROM processor_captures WHERE intent_id = $1', [intentId]);
    return row?.id as string;
  };
  test('the notification is open for the administrators until one of them has decided', async () => {
    const { userId } = await aMember(world.organizationId, world.otherChapterId);
    await asOwner('INSERT INTO organization_admins (organization_id, user_id) VALUES ($1, $2)', [
      world.organizationId,
      userId,
    ]);
    const [retained, refunded] = [await stray(), await stray()];
    const rows = await read('payment_unmatched');
    expect(rows).toHaveLength(4);
    expect(rows[0]).toMatchObject({ body: expect.stringContaining('7.00 USD received through "Cards"'), open: true });
    const payer = { chapterId: world.chapterId, membershipId: world.member.membershipId };
    await as(world.admin.userId, () => keepAsCredit(retained, payer, 'Theirs.'));
    await as(world.admin.userId, () => refundUnmatched('dues', refunded, 'Back.'));
    expect((await read('payment_unmatched')).filter(({ open }) => open)).toEqual([]);
  });
});

test('the decision on a refund request shows the amount to the officer only while officers see amounts', async () => {
  const fileRequest = async (): Promise<string> => {
    const invoice = await ofMember();
    await paidByHand(world.organizationId, invoice, 10_000);
    const wanted = { reason: 'Cancelled', reference: 'Cash', mayTellAmounts: true };
    const filed = await as(world.officer.userId, () => refundAsOfficer(invoice, wanted, { needsApproval: true }));
    return (filed as { requestId: string }).requestId;
  };
  const refuse = (id: string) =>
    as(world.admin.userId, async () =>
      reviewRefundRequest(await lockForEdit(RefundRequest, id), world.admin.userId, {
        decision: 'refuse',
        notes: 'No.',
      }),
    );
  const [shown, hidden] = [await fileRequest(), await fileRequest()];
  await refuse(shown);
  await hideAmounts();
  await refuse(hidden);
  const [before, after] = await read('refund_decided');
  expect(before).toMatchObject({ who: world.officer.userId, body: expect.stringContaining('a refund of 100.00 USD') });
  expect(after).toMatchObject({ who: world.officer.userId, body: expect.stringContaining('a refund for "') });
  expect(after?.body).not.toMatch(/100|USD/);
});

test('a refund of credit that was paid out notifies the administrators of the shortfall', async () => {
  const invoice = await ofMember();
  const one = { ...payment(invoice), amountCents: 12_000 };
  await inWorld(() => recordPayment(one));
  // Credit that was paid out leaves nothing to revoke.
  await asOwner(
    `INSERT INTO chapter_account_credits (organization_id, chapter_id, payer_type, membership_id, kind, amount_cents, reason)
     VALUES ($1, $2, 'member', $3, 'refunded', 2000, 'Paid out')`,
    [world.organizationId, world.chapterId, world.member.membershipId],
  );
  await inWorld(() => recordRefund({ intentId: one.intentId, refundedCents: 12_000 }));
  expect(await read('credit_short')).toEqual([
    expect.objectContaining({ who: world.admin.userId, body: expect.stringContaining('20.00 USD is missing') }),
  ]);
});

describe('the notification of an issued invoice', () => {
  const inform = (id: string) => inWorld(() => notify(types.invoice_issued, [id]));
  const isOpen = async (id: string) =>
    (
      await asOwner<{ open: boolean }>(
        `SELECT read_at IS NULL AND resolved_at IS NULL AS open FROM notifications
          WHERE organization_id = $1 AND subject_id = $2 AND notification_type = 'invoice_issued'`,
        [world.organizationId, id],
      )
    ).map(({ open }) => open);

  test('the notification of an invoice closes when the invoice is paid, and not before', async () => {
    const [one, other] = [await ofMember(), await ofMember()];
    await inform(one);
    await inform(other);
    await inWorld(() => recordPayment({ ...payment(one), amountCents: 1_000 }));
    expect([await isOpen(one), await isOpen(other)]).toEqual([[true], [true]]);
    await inWorld(() => recordPayment({ ...payment(one), amountCents: 9_000 }));
    expect([await isOpen(one), await isOpen(other)]).toEqual([[false], [true]]);
    // Its mail was not sent yet and is no longer needed.
    const { claimed } = await inWorld(() => claimDeliveries('email', 10));
    expect(claimed.filter(({ subjectId }) => subjectId === one)).toEqual([]);
  });

  test('the notification of an invoice closes when the invoice is void', async () => {
    const id = await ofMember();
    await inform(id);
    await asOwner('UPDATE chapter_invoices SET voided_at = now() WHERE id = $1', [id]);
    expect(await isOpen(id)).toEqual([false]);
  });

  test('the notifications of several invoices close when a remittance pays them', async () => {
    const { remittanceId, intentId, invoices } = await aRemittance(world, processorId, null);
    const other = await ofMember();
    for (const id of [...invoices, other]) await inform(id);
    await inWorld(() => settleRemittance({ remittanceId, processorId, intentId, amountCents: 30_000 }));
    expect(await Promise.all([...invoices, other].map(isOpen))).toEqual([[false], [false], [false], [true]]);
  });
});
