/** Credit moves with a transferred member and keeps its source: it is spent at the new chapter and refunded on its own charge. */
import { rows } from '../../../models/database/rows.js';
import { inTenant } from '../../../models/database/tenancy.js';
import { readInvariants } from '../../../models/finances/checkLedger.js';
import { recordInvoiceCharge } from '../../../models/finances/captures/recordInvoiceCharge.js';
import { CAPTURE_VERSION_SQL } from '../../../models/finances/captures/setRefundedTotal.js';
import { findCapture } from '../../../models/finances/captures/ProcessorCapture.js';
import { flagStrayCapture } from '../../../models/finances/captures/flagStrayCapture.js';
import { keepAsCredit } from '../../../models/finances/captures/resolveUnmatched.js';
import { refundCapture } from '../../../models/finances/captures/refundCapture.js';
import { applyCredit } from '../../../models/finances/credit/applyCredit.js';
import { issueCredit } from '../../../models/finances/credit/issueCredit.js';
import { reverseCredit } from '../../../models/finances/credit/reverseCredit.js';
import { moveCredit } from '../../../models/finances/credit/moveCredit.js';
import { refundCredit } from '../../../models/finances/credit/refundCredit.js';
import { recordDisputes, type ReportedDispute } from '../../../models/finances/disputes/recordDisputes.js';
import { recordRefund } from '../../../models/finances/recordRefund.js';
import { hasPendingPayments } from '../../../models/finances/hasPendingPayments.js';
import { reserveRefunds } from '../../../models/finances/refunds/reserveRefunds.js';
import { cancelRefund } from '../../../models/finances/refunds/sendRefund.js';
import type { MarkedRefund } from '../../../models/finances/refunds/settleRefunds.js';
import { bothAccounts } from '../../support/accounts.js';
import { apiWorld } from '../../support/apiWorld.js';
import { asOwner } from '../../support/owner.js';
import { aMember, anInvoice, type Person } from '../../support/world.js';
import { aProcessor } from '../../models/finances/ledger.support.js';

const stage = apiWorld();
const { world } = stage;
let processorId: string;
beforeAll(async () => {
  processorId = await aProcessor(world.organizationId);
});
const RULES = readInvariants().filter(({ examines }) =>
  /^(chapter_|payment_|processor_captures|refunds|capture_resolutions|money_cases)/.test(examines),
);
afterEach(async () => {
  for (const { name, query } of RULES) expect({ name, rows: await asOwner(query) }).toEqual({ name, rows: [] });
  for (const chapterId of [world.chapterId, world.otherChapterId]) await rosterShowsCredit(chapterId);
});

/** Checks that the roster shows the same credit, less pending refunds, as each member's balance. */
async function rosterShowsCredit(chapterId: string): Promise<void> {
  const { body } = await stage.admin.get(`/api/billing/roster/?chapter=${chapterId}&page_size=100`);
  const shown = new Map<string, number>(
    body.results.map((row: { membership: string; credit_cents: number }) => [row.membership, row.credit_cents]),
  );
  expect(shown.size).toBe(body.count);
  const own = await inWorld(() =>
    rows<{ id: string; cents: number }>(
      'SELECT id, app.credit_balance(chapter_id, id)::int AS cents FROM memberships WHERE id = ANY ($1)',
      [[...shown.keys()]],
    ),
  );
  expect(shown).toEqual(new Map(own.map(({ id, cents }) => [id, cents])));
}

const here = () => aMember(world.organizationId, world.chapterId);
const asAdmin = <T>(work: () => Promise<T>) =>
  inTenant(world.organizationId, work, { origin: { userId: world.admin.userId, requestId: null, ipAddress: null } });
const inWorld = <T>(work: () => Promise<T>) => inTenant(world.organizationId, work);
const bill = ({ chapterId, membershipId }: Pick<Person, 'chapterId' | 'membershipId'>, cents: number) =>
  anInvoice(world, { chapterId, membershipId, cents });
let charges = 0;
async function pay(invoiceId: string, amountCents: number): Promise<string> {
  const intentId = `pi_moved_${++charges}`;
  await inWorld(() =>
    recordInvoiceCharge({ processorId, intentId, invoiceId, amountCents, currency: 'usd', attemptId: null }),
  );
  return intentId;
}
/** Reports the charge's refunds as the provider knows them: the total, and which of them we requested. */
const reportRefunds = (intentId: string, refundedCents: number, marked: MarkedRefund[] = []) =>
  inWorld(async () => {
    const [{ version } = { version: '' }] = await asOwner<{ version: string }>(
      `SELECT ${CAPTURE_VERSION_SQL} AS version FROM processor_captures c WHERE intent_id = $1`,
      [intentId],
    );
    const outcome = await refundCapture(processorId, intentId, { version, refundedCents, failed: [], marked });
    if (outcome.state === 'unknown') throw new Error('It is not on record.');
  });
/** Transfers with the hash of the preview. @returns the preview and the answer */
async function askToMove({ membershipId }: Pick<Person, 'membershipId'>, to: string) {
  const path = `/api/memberships/${membershipId}/transfer/`;
  const shown = (await stage.admin.post(path, { to_chapter: to, dry_run: true })).body;
  return { shown, done: await stage.admin.post(path, { to_chapter: to, preview_hash: shown.preview_hash }) };
}
async function transfer(person: Pick<Person, 'membershipId'>, to = world.otherChapterId) {
  const { shown, done } = await askToMove(person, to);
  expect(done.status).toBe(201);
  const there = { chapterId: to, membershipId: done.body.id as string };
  expect(await credit(there)).toMatchObject({ available_cents: shown.account.moving_credit_cents });
  return there;
}
/** Transfers again when the preview has changed meanwhile. */
async function transferAtLast(person: Pick<Person, 'membershipId'>): Promise<void> {
  for (let tries = 0; tries < 10; tries += 1)
    if ((await askToMove(person, world.otherChapterId)).done.status === 201) return;
  throw new Error('It changed ten times.');
}
type At = Pick<Person, 'chapterId' | 'membershipId'>;
const creditPath = ({ chapterId, membershipId }: At, rest = '') =>
  `/api/hq/dues/${world.organizationId}/chapters/${chapterId}/credit/${rest}?member=${membershipId}`;
const credit = async (at: At) => (await stage.admin.get(creditPath(at))).body;
const explained = async (at: At) => (await stage.admin.get(creditPath(at, 'explain/'))).body;
/** Checks that the account and a printed statement list the same entries, and that they add up to what is due. */
async function expectAccount(membershipId: string, due: number): Promise<void> {
  const { listed, printed } = await inWorld(() => bothAccounts(membershipId, 'UTC'));
  // After an overpayment only the cents of the entries differ.
  const comparable = ({ entries, ...sums }: typeof listed) => ({
    ...sums,
    entries: entries.map(({ kind, credit }) => [kind, credit]),
  });
  expect(comparable(listed)).toEqual(comparable(printed));
  for (const { entries, billed } of [listed, printed])
    expect(entries.reduce((sum, { cents }) => sum + cents, billed)).toBe(due);
}
const invoice = async (id: string) => (await stage.admin.get(`/api/invoices/${id}/`)).body;

/** A member with 100.00 billed and 150.00 paid who transfers to another chapter. */
async function aMover() {
  const before = await here();
  const billed = await bill(before, 10_000);
  const charge = await pay(billed, 15_000);
  return { before, billed, charge, after: await transfer(before) };
}

test('moved credit is spent at the new chapter, and both accounts and explanations balance', async () => {
  const { before, billed, after } = await aMover();
  expect(await credit(before)).toMatchObject({ available_cents: 0 });
  expect(await credit(after)).toMatchObject({
    available_cents: 5_000,
    results: [{ kind: 'moved_in', amount_cents: 5_000, effect_cents: 5_000, invoice: billed }],
  });
  expect((await explained(after)).entries).toMatchObject([{ cause: { kind: 'moved_in' }, effect_cents: 5_000 }]);
  expect((await explained(before)).balance_cents).toBe(0);
  expect(await invoice(billed)).toMatchObject({ status: 'paid', balance_due_cents: 0, overpaid_cents: 5_000 });

  const next = await bill(after, 4_000);
  const applied = { kind: 'credit', amount_cents: 4_000, reason: 'From the old chapter' };
  expect((await stage.admin.post(`/api/invoices/${next}/adjust/`, applied)).status).toBe(201);
  expect(await invoice(next)).toMatchObject({ status: 'paid' });
  for (const { membershipId } of [before, after]) await expectAccount(membershipId, 0);
});

test('credit that open invoices at the old chapter need stays there', async () => {
  const person = await here();
  const [paid] = [await bill(person, 1_000), await bill(person, 3_000)];
  await pay(paid, 6_000);
  const after = await transfer(person);
  expect(await credit(person)).toMatchObject({ available_cents: 3_000 });
  expect(await credit(after)).toMatchObject({ available_cents: 2_000 });

  const poor = await here();
  await bill(poor, 3_000);
  await inWorld(() => issueCredit({ payer: poor, amountCents: 2_500, reason: 'A gift' }));
  expect(await credit(await transfer(poor))).toMatchObject({ available_cents: 0, results: [] });
});

test('moved credit is refunded on its own charge from the new chapter without touching credit that stayed', async () => {
  const person = await here();
  const [paid] = [await bill(person, 1_000), await bill(person, 3_000)];
  const charge = await pay(paid, 6_000);
  const after = await transfer(person);
  const { refunds } = await asAdmin(() => refundCredit(after, { reason: 'They asked for it' }));
  expect(refunds).toHaveLength(1);
  expect(await credit(after)).toMatchObject({ available_cents: 0, reserved_cents: 2_000 });
  expect(await credit(person)).toMatchObject({ available_cents: 3_000, reserved_cents: 0 });
  expect((await explained(after)).balance_cents).toBe(0);
  const refundId = refunds[0] as string;
  const refund = { refundId, gatewayRefundId: 're_moved', amountCents: 2_000, failureCode: null };
  await reportRefunds(charge, 2_000, [{ ...refund, status: 'refunded' }]);
  expect(await credit(after)).toMatchObject({ available_cents: 0, reserved_cents: 0, shortfall_cents: 0 });
  expect(await credit(person)).toMatchObject({ available_cents: 3_000 });
  // The bank returns the refund weeks later: the credit is restored at the new chapter.
  await reportRefunds(charge, 0, [{ ...refund, status: 'failed' }]);
  expect(await credit(after)).toMatchObject({ available_cents: 2_000 });
  expect(await credit(person)).toMatchObject({ available_cents: 3_000 });
});

test('credit is not refunded while a refund of the voided invoice that it came from is pending', async () => {
  const { billed, charge, after } = await aMover();
  const { refunds } = await asAdmin(() =>
    reserveRefunds(billed, { amount_cents: 4_000, waive: false, reason: 'Cancelled', reference: 'Cash' }),
  );
  expect((await stage.admin.post(`/api/invoices/${billed}/void/`, { reason: 'Billed by mistake' })).status).toBe(200);
  expect(await inWorld(() => hasPendingPayments([after.membershipId]))).toBe(true);
  const refundAll = () => stage.admin.post(creditPath(after, 'refund/'), { reason: 'They asked for it' });
  expect(await refundAll()).toMatchObject({ status: 409, body: { code: 'credit_refund_in_progress' } });
  await asAdmin(() => cancelRefund(refunds[0] as string));
  expect(await inWorld(() => hasPendingPayments([after.membershipId]))).toBe(false);
  expect((await refundAll()).status).toBeLessThan(300);
  expect(await credit(after)).toMatchObject({ available_cents: 0, reserved_cents: 5_000 });
  await reportRefunds(charge, 0);
});

test('a refund at the provider revokes moved credit, also from the invoice that it paid at the new chapter', async () => {
  const { before, billed, charge, after } = await aMover();
  const next = await bill(after, 4_000);
  await stage.admin.post(`/api/invoices/${next}/adjust/`, { kind: 'credit', amount_cents: 4_000, reason: 'Spent' });
  await reportRefunds(charge, 15_000);
  expect(await invoice(billed)).toMatchObject({ balance_due_cents: 10_000 });
  expect(await invoice(next)).toMatchObject({ balance_due_cents: 4_000, credit_cents: 0 });
  expect(await credit(after)).toMatchObject({ available_cents: 0, shortfall_cents: 0 });
  await expectAccount(before.membershipId, 10_000);
  await expectAccount(after.membershipId, 4_000);
});

test('a dispute takes unspent moved credit and restores it where it was when it is won', async () => {
  const { billed, charge, after } = await aMover();
  const dispute = (movements: ReportedDispute['movements'], decision: ReportedDispute['decision'], at: number) =>
    inWorld(() =>
      recordDisputes(processorId, charge, {
        askedAt: new Date(1_700_000_000_000 + at).toISOString(),
        disputes: [
          {
            gatewayDisputeId: 'dp_moved',
            reference: {},
            amountCents: 15_000,
            currency: 'usd',
            reason: 'fraudulent',
            decision,
            evidenceDueAt: null,
            openedAt: new Date(1_700_000_000_000),
            movements,
          },
        ],
      }),
    );
  const withdrawal = {
    kind: 'withdrawn',
    amountCents: 15_000,
    movementId: 'txn_1',
    at: new Date(1_700_000_000_001),
  } as const;
  await dispute([withdrawal], 'none', 1);
  expect(await invoice(billed)).toMatchObject({ balance_due_cents: 10_000 });
  expect(await credit(after)).toMatchObject({ available_cents: 0 });
  const restored = { ...withdrawal, kind: 'reinstated', movementId: 'txn_2', at: new Date(1_700_000_000_002) } as const;
  await dispute([withdrawal, restored], 'won', 2);
  expect(await invoice(billed)).toMatchObject({ balance_due_cents: 0 });
  expect(await credit(after)).toMatchObject({ available_cents: 5_000 });
});

test('unmatched money retained as credit moves too, and a refund revokes it at the new chapter', async () => {
  const person = await here();
  await asAdmin(async () => {
    await flagStrayCapture({ processorId, intentId: 'pi_kept', amountCents: 3_000, currency: 'usd' });
    const capture = await findCapture(processorId, 'pi_kept');
    await keepAsCredit(capture?.id as string, person, 'She paid by telephone.');
  });
  const after = await transfer(person);
  const next = await bill(after, 2_500);
  await stage.admin.post(`/api/invoices/${next}/adjust/`, { kind: 'credit', amount_cents: 2_500, reason: 'Spent' });
  await reportRefunds('pi_kept', 1_000);
  expect(await credit(after)).toMatchObject({ available_cents: 0, shortfall_cents: 0 });
  expect(await invoice(next)).toMatchObject({ balance_due_cents: 500, credit_cents: 2_000 });
  await reportRefunds('pi_kept', 0);
  expect(await credit(after)).toMatchObject({ available_cents: 1_000 });
  expect(await credit(person)).toMatchObject({ available_cents: 0 });
});

test('credit returns with a member who transfers back, and ten concurrent moves move it once', async () => {
  const { before, after } = await aMover();
  await Promise.all(
    Array.from({ length: 10 }, () => inWorld(() => moveCredit(after.membershipId, before.membershipId))),
  );
  expect(await credit(after)).toMatchObject({ available_cents: 0 });
  expect(await credit(before)).toMatchObject({ available_cents: 5_000 });
  await inWorld(() => moveCredit(before.membershipId, after.membershipId));
  expect(await transfer(after, world.chapterId)).toMatchObject({ membershipId: before.membershipId });
  expect(await credit(before)).toMatchObject({ available_cents: 5_000 });
});

test('a member who transfers while a refund and a payment by credit run loses no cent, in any order', async () => {
  const people = await Promise.all(
    Array.from({ length: 6 }, async () => {
      const person = await here();
      const [paid, open] = [await bill(person, 1_000), await bill(person, 700)];
      return { person, open, charge: await pay(paid, 4_000) };
    }),
  );
  const errors: unknown[] = [];
  const collectError = (work: Promise<unknown>) => work.catch((error: unknown) => void errors.push(error));
  await Promise.all(
    people.flatMap(({ person, open, charge }, n) => [
      collectError(transferAtLast(person)),
      collectError(inWorld(() => recordRefund({ intentId: charge, refundedCents: 0 }))),
      collectError(reportRefunds(charge, 500 * (n + 1))),
      collectError(inWorld(() => applyCredit(open))),
    ]),
  );
  for (const { person, charge } of people) {
    const [captured] = await asOwner<{ refunded: number }>(
      'SELECT refunded_cents::int AS refunded FROM processor_captures WHERE intent_id = $1',
      [charge],
    );
    const [balance] = await asOwner<{ cents: number }>(
      `SELECT (SELECT coalesce(sum(app.credit_effect(c)), 0) FROM chapter_account_credits c JOIN memberships m ON m.id = c.membership_id
                WHERE m.user_id = $1)::int + (SELECT sum(total_cents - balance_due_cents) FROM chapter_invoices i
                  JOIN memberships m ON m.id = i.membership_id WHERE m.user_id = $1)::int AS cents`,
      [person.userId],
    );
    expect(balance?.cents).toBe(4_000 - (captured?.refunded ?? 0));
  }
  // Only deadlocks and stale previews are refused; the caller retries these.
  expect(errors.filter((error) => !/deadlock|changed|RefundsChanged/i.test(String(error)))).toEqual([]);
});

test('a credit entry cannot move to another person, in part, alone or twice, and cannot be reversed', async () => {
  const { before, after } = await aMover();
  const stranger = await here();
  const [movedIn] = (await credit(after)).results;
  const [movedOut] = (await credit(before)).results;
  const insert = (at: At, columns: string, values: unknown[]) =>
    inWorld(() =>
      rows(
        `INSERT INTO chapter_account_credits (organization_id, chapter_id, payer_type, membership_id, reason, ${columns})
         VALUES ($1, $2, 'member', $3, 'Test', ${values.map((_, n) => `$${n + 4}`).join(', ')})`,
        [world.organizationId, at.chapterId, at.membershipId, ...values],
      ),
    );
  await inWorld(() => issueCredit({ payer: stranger, amountCents: 100, reason: 'A gift' }));
  await expect(insert(stranger, 'kind, amount_cents', ['moved_out', 100])).rejects.toThrow(
    'another membership of the same person',
  );
  await expect(insert(after, 'kind, amount_cents, moved_from', ['moved_in', 5_000, movedOut.id])).rejects.toThrow();
  await expect(insert(after, 'kind, amount_cents, moved_from', ['moved_in', 1, movedIn.id])).rejects.toThrow();
  for (const { id } of [movedOut, movedIn])
    await expect(inWorld(() => reverseCredit(id, 'A mistake'))).rejects.toThrow();
  expect(await credit(after)).toMatchObject({ available_cents: 5_000 });
});
