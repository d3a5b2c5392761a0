/** Debts after refunds: what a refunded payment had paid elsewhere is due again, also if an invoice is voided before or after. */
import { randomUUID } from 'node:crypto';
import { translateDatabaseError } from '../../../models/database/constraints.js';
import { inTenant } from '../../../models/database/tenancy.js';
import { Refusal } from '../../../models/errors.js';
import { checkLedger } from '../../../models/finances/checkLedger.js';
import { applyCredit } from '../../../models/finances/credit/applyCredit.js';
import { issueCredit } from '../../../models/finances/credit/issueCredit.js';
import { recordPayment } from '../../../models/finances/recordPayment.js';
import { recordRefund } from '../../../models/finances/recordRefund.js';
import { voidInvoice } from '../../../models/finances/voidInvoice.js';
import { eraseInOrganization } from '../../../models/identity/deletion/eraseInOrganization.js';
import { asOwner } from '../../support/owner.js';
import { aMember, anInvoice, type Person } from '../../support/world.js';
import { apiWorld, expectNowhere } from '../../support/apiWorld.js';

const stage = apiWorld();

const inWorld = <T>(work: () => Promise<T>) => inTenant(stage.world.organizationId, work);
const someone = () => aMember(stage.world.organizationId, stage.world.chapterId);
const payer = ({ chapterId, membershipId }: Person) => ({ chapterId, membershipId });
const bill = ({ chapterId, membershipId }: Person, cents: number, dueIn = 14) =>
  anInvoice(stage.world, { chapterId, membershipId, cents, dueIn });

interface PaymentIds {
  intent: string;
  key: string;
}
async function pay(invoiceId: string, amountCents: number): Promise<PaymentIds> {
  const ids = { intent: `pi_${randomUUID()}`, key: `key_${randomUUID()}` };
  await inWorld(() =>
    recordPayment({ invoiceId, amountCents, processorId: null, intentId: ids.intent, processorPaymentId: ids.key }),
  );
  return ids;
}
const refund = ({ intent }: PaymentIds, refundedCents: number) =>
  inWorld(() => recordRefund({ intentId: intent, refundedCents }));
const spend = (invoiceId: string, upToCents = Infinity) => inWorld(() => applyCredit(invoiceId, { upToCents }));
/** Inserts the ledger entry of credit that was refunded, without a provider. */
const payOut = ({ chapterId, membershipId }: Person, cents: number) =>
  asOwner(
    `INSERT INTO chapter_account_credits (organization_id, chapter_id, payer_type, membership_id, kind, amount_cents, reason)
       VALUES ($1, $2, 'member', $3, 'refunded', $4, 'Sent back')`,
    [stage.world.organizationId, chapterId, membershipId, cents],
  );

const voiding = (id: string) => stage.admin.post(`/api/invoices/${id}/void/`, { reason: 'Left' });
const invoice = async (id: string) => (await stage.admin.get(`/api/invoices/${id}/`)).body;
const credit = async ({ membershipId, chapterId }: Person) =>
  (
    await stage.admin.get(
      `/api/hq/dues/${stage.world.organizationId}/chapters/${chapterId}/credit/?member=${membershipId}`,
    )
  ).body;
const readAudit = (action: string, subjectId: string) =>
  asOwner<{ after: Record<string, unknown> }>(
    'SELECT after FROM audit_log WHERE organization_id = $1 AND action = $2 AND subject_id = $3 ORDER BY id',
    [stage.world.organizationId, action, subjectId],
  );

/** Payments here have no captures; another invariant requires them. */
const WITHOUT_CAPTURES = 'a payment through a processor has its capture';
afterEach(async () => {
  const { violations } = await checkLedger(process.env['DATABASE_OWNER_URL'] as string);
  expect(violations.filter(({ invariant }) => invariant !== WITHOUT_CAPTURES)).toEqual([]);
});

/** 1,000 and 5,000 are billed; 6,000 are paid on the first invoice, and the surplus pays the second. */
async function aSpentSurplus() {
  const person = await someone();
  const [first, second] = [await bill(person, 1_000), await bill(person, 5_000)];
  const payment = await pay(first, 6_000);
  expect(await spend(second)).toBe(5_000);
  return { person, first, second, payment };
}

test('a refund makes both invoices due, and voiding the first leaves the second due', async () => {
  const { person, first, second, payment } = await aSpentSurplus();
  await refund(payment, 6_000);
  expect(await invoice(first)).toMatchObject({ status: 'open', balance_due_cents: 1_000, overpaid_cents: 0 });
  expect(await invoice(second)).toMatchObject({ status: 'open', balance_due_cents: 5_000, credit_cents: 0 });
  expect((await voiding(first)).status).toBe(200);
  expect(await invoice(second)).toMatchObject({ status: 'open', balance_due_cents: 5_000 });
  expect(await credit(person)).toMatchObject({ available_cents: 0, shortfall_cents: 0 });
});

test('a refund after the first invoice was voided makes the invoice due that its surplus paid', async () => {
  const { person, first, second, payment } = await aSpentSurplus();
  expect(await voiding(first)).toMatchObject({ status: 200, body: { status: 'void', overpaid_cents: 6_000 } });
  expect(await credit(person)).toMatchObject({ available_cents: 1_000 });
  await refund(payment, 6_000);
  expect(await invoice(first)).toMatchObject({
    status: 'void',
    balance_due_cents: 0,
    paid_cents: 0,
    overpaid_cents: 0,
  });
  expect(await invoice(second)).toMatchObject({ status: 'open', balance_due_cents: 5_000 });
  expect(await credit(person)).toMatchObject({ available_cents: 0, shortfall_cents: 0 });
});

test('a refunded payment of a void invoice makes the invoice due that its credit paid', async () => {
  const person = await someone();
  const [first, second] = [await bill(person, 1_000), await bill(person, 5_000)];
  await voiding(first);
  const payment = await pay(first, 5_000);
  await spend(second);
  await refund(payment, 5_000);
  expect(await invoice(second)).toMatchObject({ status: 'open', balance_due_cents: 5_000 });
});

test('the deletion of an account forgives no debt of a refunded payment, before the refund or after it', async () => {
  const after = await aSpentSurplus();
  await refund(after.payment, 6_000);
  await inWorld(() => eraseInOrganization(after.person.userId));
  // Every payment was refunded and both invoices are void.
  for (const id of [after.first, after.second])
    expect(await invoice(id)).toMatchObject({ status: 'void', paid_cents: 0 });

  const before = await aSpentSurplus();
  await inWorld(() => eraseInOrganization(before.person.userId));
  expect(await invoice(before.second)).toMatchObject({ status: 'paid' });
  await refund(before.payment, 6_000);
  expect(await invoice(before.first)).toMatchObject({ status: 'open', balance_due_cents: 1_000 });
  expect(await invoice(before.second)).toMatchObject({ status: 'open', balance_due_cents: 5_000 });
});

test('the deletion of an account voids unpaid invoices but keeps one that credit was applied to', async () => {
  const person = await someone();
  await inWorld(() => issueCredit({ payer: payer(person), amountCents: 300, reason: 'A gift' }));
  const [late, untouched] = [await bill(person, 1_000, -3), await bill(person, 700)];
  await asOwner("UPDATE chapter_invoices SET overdue_at = now(), status = 'overdue' WHERE id = $1", [late]);
  await spend(late);
  await inWorld(() => eraseInOrganization(person.userId));
  expect(await invoice(late)).toMatchObject({ status: 'overdue', balance_due_cents: 700, credit_cents: 300 });
  expect(await invoice(untouched)).toMatchObject({ status: 'void' });
});

test('partial refunds take the unspent credit first, then the newest invoice that credit paid, and no more than they must', async () => {
  const person = await someone();
  const own = await bill(person, 1_000);
  const [older, newer] = [await bill(person, 500, -3), await bill(person, 400)];
  await asOwner("UPDATE chapter_invoices SET overdue_at = now(), status = 'overdue' WHERE id = $1", [older]);
  const payment = await pay(own, 2_000);
  const paidAt = (await invoice(own)).paid_at;
  await spend(older);
  await spend(newer);
  expect(await credit(person)).toMatchObject({ available_cents: 100 });

  await refund(payment, 100);
  expect(await credit(person)).toMatchObject({ available_cents: 0 });
  expect(await invoice(newer)).toMatchObject({ status: 'paid' });

  await refund(payment, 250);
  expect(await invoice(newer)).toMatchObject({ status: 'partially_paid', balance_due_cents: 150, credit_cents: 250 });
  for (const again of [250, 100, 250]) await refund(payment, again);
  expect(await invoice(newer)).toMatchObject({ status: 'partially_paid', balance_due_cents: 150, credit_cents: 250 });

  await refund(payment, 600);
  expect(await invoice(newer)).toMatchObject({ status: 'open', balance_due_cents: 400 });
  // It was paid, so it is not overdue before its new due date.
  expect(await invoice(older)).toMatchObject({ status: 'partially_paid', balance_due_cents: 100, credit_cents: 400 });
  // The payment's own invoice comes last; it was paid all the time.
  expect(await invoice(own)).toMatchObject({ status: 'paid', paid_at: paidAt, paid_cents: 1_400, overpaid_cents: 400 });

  await refund(payment, 1_500);
  expect(await invoice(older)).toMatchObject({ status: 'open', balance_due_cents: 500 });
  expect(await invoice(own)).toMatchObject({ status: 'partially_paid', balance_due_cents: 500, paid_cents: 500 });
  // Nothing was edited: each step is a new entry.
  const { results } = await credit(person);
  expect(results.filter(({ kind }: { kind: string }) => kind === 'reversed')).toHaveLength(4);
});

test('concurrent refunds, spending and voids lose no cent and all finish', async () => {
  const person = await someone();
  const own = [await bill(person, 100), await bill(person, 100)];
  const others: string[] = [];
  for (let n = 0; n < 6; n += 1) others.push(await bill(person, 300));
  const payments = [await pay(own[0] as string, 1_000), await pay(own[1] as string, 1_000)];
  for (const id of others.slice(0, 3)) await spend(id);
  await Promise.all([
    ...payments.flatMap((payment) => [300, 1_000, 600].map((cents) => untilThrough(() => refund(payment, cents)))),
    ...others.map((id) => untilThrough(() => spend(id))),
    ...[others[1], own[0]].map((id) => untilThrough(() => inWorld(() => voidInvoice(id as string, 'Left')))),
  ]);
  expect(await credit(person)).toMatchObject({ available_cents: 0, shortfall_cents: 0 });
  const statuses = await Promise.all([...own, ...others].map(async (id) => (await invoice(id)).status));
  expect(statuses.filter((status) => status === 'open')).toHaveLength(6);
});

/** Retries after a deadlock, like a workflow with an event or a client after a 409. */
async function untilThrough(work: () => Promise<unknown>): Promise<void> {
  for (;;) {
    const refusal = await work().then(
      () => null,
      (error: unknown) => (error instanceof Refusal ? error : translateDatabaseError(error)) ?? Promise.reject(error),
    );
    if (refusal === null || refusal.code === 'invoice_void') return;
    expect(refusal.code).toBe('conflict');
  }
}

test('voiding an invoice turns its payments and credit into credit of the payer, with the sums in the audit log', async () => {
  const person = await someone();
  const id = await bill(person, 1_000);
  await inWorld(() => issueCredit({ payer: payer(person), amountCents: 200, reason: 'A gift' }));
  await spend(id);
  const first = await pay(id, 300);
  await pay(id, 600);
  expect(await credit(person)).toMatchObject({ available_cents: 100 });
  await refund(first, 50);
  expect(await invoice(id)).toMatchObject({ status: 'partially_paid', balance_due_cents: 50 });

  expect(await voiding(id)).toMatchObject({
    status: 200,
    body: { status: 'void', balance_due_cents: 0, credit_cents: 0, paid_cents: 850, overpaid_cents: 850 },
  });
  expect(await credit(person)).toMatchObject({ available_cents: 1_050 });
  expect(await readAudit('invoice.voided', id)).toMatchObject([
    { after: { status: 'void', converted_cents: 750, returned_credit_cents: 200 } },
  ]);
  await refund(first, 300);
  expect(await credit(person)).toMatchObject({ available_cents: 800 });
  expect(await voiding(id)).toMatchObject({ status: 409, body: { code: 'invoice_void' } });
});

test('a discount above the balance becomes neither credit nor debt when payments are refunded', async () => {
  const person = await someone();
  const id = await bill(person, 1_000);
  const payment = await pay(id, 800);
  await asOwner(
    `INSERT INTO invoice_discounts (organization_id, invoice_id, amount_cents, reason) VALUES ($1, $2, 700, 'Hardship')`,
    [stage.world.organizationId, id],
  );
  expect(await credit(person)).toMatchObject({ available_cents: 0 });
  await refund(payment, 500);
  expect(await invoice(id)).toMatchObject({ status: 'paid', balance_due_cents: 0 });
  await refund(payment, 600);
  expect(await invoice(id)).toMatchObject({ status: 'partially_paid', balance_due_cents: 100 });
  await voiding(id);
  expect(await credit(person)).toMatchObject({ available_cents: 200 });
});

describe('credit shortfalls', () => {
  async function aShortfall() {
    const person = await someone();
    const id = await bill(person, 1_000);
    const payment = await pay(id, 1_500);
    await payOut(person, 500);
    await refund(payment, 1_500);
    return { person, id, payment };
  }

  test('a refund of credit that was paid out leaves a shortfall until new credit covers it', async () => {
    const { person, id } = await aShortfall();
    expect(await invoice(id)).toMatchObject({ status: 'open', balance_due_cents: 1_000, overpaid_cents: 0 });
    expect(await credit(person)).toMatchObject({
      available_cents: 0,
      shortfall_cents: 500,
      results: [{ kind: 'shortfall', amount_cents: 500, effect_cents: 0, invoice: id }, {}, {}],
    });
    await voiding(id);
    expect(await credit(person)).toMatchObject({ shortfall_cents: 500 });

    await pay(await bill(person, 100), 300);
    expect(await credit(person)).toMatchObject({ available_cents: 0, shortfall_cents: 300 });
    await inWorld(() => issueCredit({ payer: payer(person), amountCents: 1_000, reason: 'Written off' }));
    const body = await credit(person);
    expect(body).toMatchObject({ available_cents: 700, shortfall_cents: 0 });
    expect(body.results[0]).toMatchObject({ kind: 'recovered', amount_cents: 300, effect_cents: -300 });
  });

  test('the list of shortfalls shows the open ones to the admins of their organization only', async () => {
    const list = (client = stage.admin, organization = stage.world.organizationId) =>
      client.get(`/api/hq/dues/${organization}/credit-shortfalls/`);
    const { person, id } = await aShortfall();
    const own = async () =>
      (await list()).body.results.filter(({ member }: { member: string }) => member === person.membershipId);
    expect(await own()).toMatchObject([
      { chapter: person.chapterId, amount_cents: 500, shortfall_cents: 500, invoice: id, payment: expect.any(String) },
    ]);
    await pay(await bill(person, 100), 200);
    expect(await own()).toMatchObject([{ amount_cents: 500, shortfall_cents: 400 }]);
    await inWorld(() => issueCredit({ payer: payer(person), amountCents: 400, reason: 'Written off' }));
    expect(await own()).toEqual([]);

    await aShortfall();
    expect((await list(stage.as(stage.other.admin), stage.other.organizationId)).body).toMatchObject({ count: 0 });
    await expectNowhere(stage.other.organizationId, (organization) => list(stage.admin, organization));
    for (const client of [stage.officer, stage.member, stage.as(stage.world.regionalAdmin)])
      expect(await list(client)).toMatchObject({ status: 403 });
    expect(await list(stage.nobody)).toMatchObject({ status: 401 });
  });

  test('a shortfall is in the audit log and does not grow when the refund is reported again', async () => {
    const { person, payment } = await aShortfall();
    const [entry] = await asOwner<{ id: string; payment_record_id: string }>(
      "SELECT id, payment_record_id FROM chapter_account_credits WHERE membership_id = $1 AND kind = 'shortfall'",
      [person.membershipId],
    );
    expect(await readAudit('credit.short', entry?.id as string)).toEqual([
      { after: { payment_id: entry?.payment_record_id, amount_cents: 500 } },
    ]);
    await refund(payment, 1_500);
    expect(await credit(person)).toMatchObject({ shortfall_cents: 500 });
  });
});
