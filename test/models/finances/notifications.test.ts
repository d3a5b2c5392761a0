/** What finances tell, to whom, and what of it they may see. */
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

interface Told {
  type: string;
  who: string;
  title: string;
  body: string;
  url: string;
  unlisted: string | null;
  open: boolean;
}
/** What was told, in order. @param type of this kind alone */
const told = (type: string) =>
  asOwner<Told>(
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
  const started = async (): Promise<string> => {
    const { preview_hash } = await inWorld(() => previewDuesRun(world.termId, DUE, null));
    return (await as(world.admin.userId, () => startDuesRun(world.termId, DUE, preview_hash))).id;
  };

  test('whoever is billed is told, a page of chapters in one statement; whoever started the run hears how it ended', async () => {
    const run = await started();
    await inWorld(() => issueNextChapters(run, null));
    await inWorld(() => issueNextChapters(run, null));
    const issued = await asOwner<{ user_id: string; id: string }>(
      `SELECT m.user_id, i.id FROM chapter_invoices i JOIN memberships m ON m.id = i.membership_id
        WHERE i.dues_run_id = $1 ORDER BY i.id`,
      [run],
    );
    expect(issued.length).toBeGreaterThan(3);
    const rows = await told('invoice_issued');
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
    expect(await told('dues_run_ended')).toEqual([
      expect.objectContaining({
        who: world.admin.userId,
        title: 'Dues of Current: completed',
        body: `Invoices issued: ${issued.length} of ${issued.length}.`,
        unlisted: null,
      }),
    ]);
  });

  test('nobody is told of what they ended themselves', async () => {
    const run = await started();
    await as(world.admin.userId, () => cancelDuesRun(run));
    expect(await told('dues_run_ended')).toEqual([expect.objectContaining({ unlisted: 'own_action' })]);
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

test('a payment is told to its payer once, with what is still due', async () => {
  const one = payment(await ofMember());
  for (let again = 0; again < 2; again += 1) await inWorld(() => recordPayment(one));
  expect(await told('payment_recorded')).toEqual([
    expect.objectContaining({
      who: world.member.userId,
      title: 'Payment received: Dues',
      body: 'We recorded a payment of 40.00 USD for "Dues". 60.00 USD is still due.',
      url: `/invoices/${one.invoiceId}`,
    }),
  ]);
});

test('a payment that failed is told once; when it succeeds later, that is told, and the other withdrawn', async () => {
  const one = payment(await ofMember());
  for (const failureCode of ['card_declined', 'expired_card'])
    await inWorld(() => recordFailedPayment({ ...one, failureCode }));
  expect(await told('payment_failed')).toHaveLength(1);
  await inWorld(() => recordPayment(one));
  const { claimed } = await inWorld(() => claimDeliveries('email', 10));
  expect(claimed.map(({ notificationType }) => notificationType)).toEqual(['payment_recorded']);
});

test('what is given back is told, what of it did not arrive, and what is given back once more', async () => {
  const one = payment(await ofMember());
  await inWorld(() => recordPayment(one));
  const given = (refundedCents: number) =>
    inWorld(() => recordRefund({ intentId: one.intentId, refundedCents, mayBeLess: true }));
  await given(1_000);
  await given(1_000);
  expect(await told('payment_refunded')).toEqual([
    expect.objectContaining({
      who: world.member.userId,
      body: 'A payment for "Dues" was refunded. Refunded in total: 10.00 USD. 70.00 USD is still due.',
    }),
  ]);
  await given(0);
  expect(await told('payment_not_refunded')).toHaveLength(1);
  await given(1_000);
  expect(await told('payment_refunded')).toHaveLength(2);
});

test('a settled remittance is told to each payer and to whoever pays it, once', async () => {
  const { remittanceId, intentId } = await aRemittance(world, processorId, 30_000);
  await inWorld(() => settleRemittance({ remittanceId, processorId, intentId, amountCents: 30_000 }));
  const paid = await told('payment_recorded');
  expect(paid).toHaveLength(3);
  expect(new Set(paid.map(({ who }) => who)).size).toBe(3);
  expect(await told('remittance_settled')).toEqual([
    expect.objectContaining({
      who: world.officer.userId,
      body: 'A remittance of 300.00 USD is settled. Invoices paid with it: 3.',
      url: `/remittances/${remittanceId}`,
    }),
  ]);
});

test('a remittance that could not be charged is told to whoever tried to pay it, once an attempt', async () => {
  const { attemptId } = await aRemittance(world, processorId, null);
  for (let again = 0; again < 2; again += 1)
    await inWorld(() => concludeAttempt({ attemptId }, { status: 'failed', failureCode: 'card_declined' }));
  expect(await told('remittance_failed')).toEqual([expect.objectContaining({ who: world.officer.userId })]);
});

const disable = (...people: string[]) => asOwner('UPDATE users SET disabled_at = now() WHERE id = ANY($1)', [people]);

test("a chapter's own invoice is told to whoever can do something about it", async () => {
  const president = (await aMember(world.organizationId, world.chapterId, 'president')).userId;
  const issue = async () => {
    const id = await anInvoice(world, { chapterId: world.chapterId, membershipId: null });
    await inWorld(() => notify(types.invoice_issued, [id]));
    return (await told('invoice_issued')).at(-1)?.who;
  };
  expect(await issue()).toBe(world.officer.userId);
  await disable(world.officer.userId);
  expect(await issue()).toBe(president);
  await disable(president);
  expect(await issue()).toBe(world.admin.userId);
  // What is billed to somebody is theirs all the same.
  await disable(world.member.userId);
  const own = await anInvoice(world, { chapterId: world.chapterId, membershipId: world.member.membershipId });
  await inWorld(() => notify(types.invoice_issued, [own]));
  expect((await told('invoice_issued')).at(-1)?.who).toBe(world.member.userId);
});

describe('a flagged remittance', () => {
  let treasurer: string;
  beforeEach(async () => {
    treasurer = (await aMember(world.organizationId, world.chapterId, 'president')).userId;
  });
  const open = async () => (await told('remittance_flagged')).filter((row) => row.open).map(({ who }) => who);

  test('waits for the officers of its chapter, until one of them has resolved it', async () => {
    const { remittanceId, invoices } = await aRemittance(world, processorId, 29_999);
    expect(new Set(await open())).toEqual(new Set([world.officer.userId, treasurer]));
    const shares = invoices.map((invoice, n) => ({ invoice, amount_cents: n === 0 ? 9_999 : 10_000 }));
    await as(treasurer, () => resolveRemittance(remittanceId, shares, 'Looked at.', treasurer));
    expect(await open()).toEqual([]);
    // What was to be mailed of it is not any more; those who paid are told.
    const { claimed } = await inWorld(() => claimDeliveries('email', 50));
    expect(new Set(claimed.map(({ notificationType }) => notificationType))).toEqual(
      new Set(['payment_recorded', 'remittance_settled']),
    );
  });

  test('waits for the administrators where the accounts of all officers are disabled', async () => {
    await disable(world.officer.userId, treasurer);
    await aRemittance(world, processorId, 29_999);
    expect(await open()).toEqual([world.admin.userId]);
  });

  test('goes on waiting while another charge does', async () => {
    const { remittanceId, invoices } = await aRemittance(world, processorId, 29_999);
    const second = { remittanceId, processorId, intentId: `pi_${uuidv7()}`, amountCents: 10_000 };
    await inWorld(() => settleRemittance(second));
    expect(await open()).toHaveLength(4);
    const shares = invoices.map((invoice, n) => ({ invoice, amount_cents: n === 0 ? 9_999 : 10_000 }));
    await as(treasurer, () => resolveRemittance(remittanceId, shares, 'The first.', treasurer));
    expect(await open()).toHaveLength(4);
  });

  test('is nobody’s any more when the processor gave all of it back', async () => {
    const { intentId } = await aRemittance(world, processorId, 29_999);
    await inWorld(() => refundCapture(processorId, intentId, 29_999));
    expect(await open()).toEqual([]);
  });

  test('says no amounts to officers who are not to see them, and waits for admins where there is no officer', async () => {
    await hideAmounts();
    await aRemittance(world, processorId, 29_999);
    for (const { title, body } of await told('remittance_flagged')) expect(`${title} ${body}`).not.toMatch(/\d|USD/);
    await asOwner(`UPDATE memberships SET role = 'member' WHERE chapter_id = $1`, [world.chapterId]);
    await aRemittance(world, processorId, 29_998);
    const last = (await told('remittance_flagged')).at(-1);
    expect(last).toMatchObject({ who: world.admin.userId, body: expect.stringContaining('299.98 USD') });
  });
});

describe('money that is for nothing here', () => {
  const stray = async (): Promise<string> => {
    const intentId = `pi_${uuidv7()}`;
    const charge = { processorId, intentId, amountCents: 700, currency: 'usd' };
    for (let again = 0; again < 2; again += 1) await inWorld(() => flagStrayCapture(charge));
    const [row] = await asOwner<{ id: string }>('SELECT id FROM processor_captures WHERE intent_id = $1', [intentId]);
    return row?.id as string;
  };
  test('waits for the administrators, until one of them has decided', async () => {
    const { userId } = await aMember(world.organizationId, world.otherChapterId);
    await asOwner('INSERT INTO organization_admins (organization_id, user_id) VALUES ($1, $2)', [
      world.organizationId,
      userId,
    ]);
    const [kept, refunded] = [await stray(), await stray()];
    const rows = await told('payment_unmatched');
    expect(rows).toHaveLength(4);
    expect(rows[0]).toMatchObject({ body: expect.stringContaining('7.00 USD received through "Cards"'), open: true });
    const payer = { chapterId: world.chapterId, membershipId: world.member.membershipId };
    await as(world.admin.userId, () => keepAsCredit(kept, payer, 'Theirs.'));
    await as(world.admin.userId, () => refundUnmatched(refunded, 'Back.'));
    expect((await told('payment_unmatched')).filter(({ open }) => open)).toEqual([]);
  });
});

test('a decision about a refund tells its amount to whoever asked while officers see amounts, and no longer', async () => {
  const asked = async (): Promise<string> => {
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
  const [seen, hidden] = [await asked(), await asked()];
  await refuse(seen);
  await hideAmounts();
  await refuse(hidden);
  const [before, after] = await told('refund_decided');
  expect(before).toMatchObject({ who: world.officer.userId, body: expect.stringContaining('a refund of 100.00 USD') });
  expect(after).toMatchObject({ who: world.officer.userId, body: expect.stringContaining('a refund for "') });
  expect(after?.body).not.toMatch(/100|USD/);
});

test('credit that was spent and is to be given back is told to the administrators', async () => {
  const invoice = await ofMember();
  const one = { ...payment(invoice), amountCents: 12_000 };
  await inWorld(() => recordPayment(one));
  // What was paid out of the credit leaves nothing to take it back from.
  await asOwner(
    `INSERT INTO chapter_account_credits (organization_id, chapter_id, payer_type, membership_id, kind, amount_cents, reason)
     VALUES ($1, $2, 'member', $3, 'refunded', 2000, 'Paid out')`,
    [world.organizationId, world.chapterId, world.member.membershipId],
  );
  await inWorld(() => recordRefund({ intentId: one.intentId, refundedCents: 12_000 }));
  expect(await told('credit_short')).toEqual([
    expect.objectContaining({ who: world.admin.userId, body: expect.stringContaining('20.00 USD is missing') }),
  ]);
});

describe('who was asked to pay', () => {
  const inform = (id: string) => inWorld(() => notify(types.invoice_issued, [id]));
  const isOpen = async (id: string) =>
    (
      await asOwner<{ open: boolean }>(
        `SELECT read_at IS NULL AND resolved_at IS NULL AS open FROM notifications
          WHERE organization_id = $1 AND subject_id = $2 AND notification_type = 'invoice_issued'`,
        [world.organizationId, id],
      )
    ).map(({ open }) => open);

  test('is asked no more when it is paid, and not before', async () => {
    const [one, other] = [await ofMember(), await ofMember()];
    await inform(one);
    await inform(other);
    await inWorld(() => recordPayment({ ...payment(one), amountCents: 1_000 }));
    expect([await isOpen(one), await isOpen(other)]).toEqual([[true], [true]]);
    await inWorld(() => recordPayment({ ...payment(one), amountCents: 9_000 }));
    expect([await isOpen(one), await isOpen(other)]).toEqual([[false], [true]]);
    // Its mail was not sent yet, and is needless.
    const { claimed } = await inWorld(() => claimDeliveries('email', 10));
    expect(claimed.filter(({ subjectId }) => subjectId === one)).toEqual([]);
  });

  test('is asked no more when it is void, in whatever way', async () => {
    const id = await ofMember();
    await inform(id);
    await asOwner('UPDATE chapter_invoices SET voided_at = now() WHERE id = $1', [id]);
    expect(await isOpen(id)).toEqual([false]);
  });

  test('is asked no more when a remittance pays for many', async () => {
    const { remittanceId, intentId, invoices } = await aRemittance(world, processorId, null);
    const other = await ofMember();
    for (const id of [...invoices, other]) await inform(id);
    await inWorld(() => settleRemittance({ remittanceId, processorId, intentId, amountCents: 30_000 }));
    expect(await Promise.all([...invoices, other].map(isOpen))).toEqual([[false], [false], [false], [true]]);
  });
});
