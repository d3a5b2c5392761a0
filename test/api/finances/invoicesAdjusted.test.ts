import { inTenant } from '../../../models/database/tenancy.js';
import { issueCredit } from '../../../models/finances/credit/issueCredit.js';
import type { Explanation } from '../../../models/finances/explain/explanation.js';
import { apiWorld, expectNowhere } from '../../support/apiWorld.js';
import { asOwner } from '../../support/owner.js';
import { countStatements } from '../../support/statements.js';
import { aProcessor } from '../../support/platform.js';
import { anInvoice } from '../../support/world.js';

const stage = apiWorld();
const { world } = stage;

const invoiceOf = (membershipId: string | null = world.member.membershipId, cents = 10_000) =>
  anInvoice(world, { chapterId: world.chapterId, membershipId, cents });
const at = (id: string, rest = '') => `/api/invoices/${id}/${rest && `${rest}/`}`;
const adjust = (id: string, kind: string, amount_cents: number, by = stage.admin) =>
  by.post(at(id, 'adjust'), { kind, amount_cents, reason: 'Said at the meeting' });
const give = (cents: number) =>
  inTenant(world.organizationId, () =>
    issueCredit({
      payer: { chapterId: world.chapterId, membershipId: world.member.membershipId },
      amountCents: cents,
      reason: 'A gift',
    }),
  );
const readCredit = async (): Promise<number> => {
  const [row] = await asOwner<{ cents: number }>(
    `SELECT coalesce(sum(CASE kind WHEN 'issued' THEN amount_cents ELSE -amount_cents END), 0)::int AS cents
       FROM chapter_account_credits WHERE membership_id = $1`,
    [world.member.membershipId],
  );
  return row?.cents ?? 0;
};
const byHand = (more: object = {}) => ({
  amount_cents: 4_000,
  method: 'check',
  reference: 'No. 17',
  received_on: '2026-01-15',
  idempotency_key: crypto.randomUUID(),
  ...more,
});
const hideAmounts = (hidden: boolean) =>
  asOwner('UPDATE org_dues_settings SET officers_see_amounts = $2 WHERE organization_id = $1', [
    world.organizationId,
    !hidden,
  ]);
afterEach(() => hideAmounts(false));

/** Reserves the invoice for a pending charge of a remittance. */
async function reserve(invoiceId: string): Promise<void> {
  const [remittance] = await asOwner<{ id: string }>(
    `INSERT INTO chapter_remittances (organization_id, chapter_id, created_by, total_cents) VALUES ($1, $2, $3, 1000) RETURNING id`,
    [world.organizationId, world.chapterId, world.officer.userId],
  );
  const [attempt] = await asOwner<{ id: string }>(
    `INSERT INTO payment_attempts (organization_id, remittance_id, processor_id, amount_cents, currency)
     VALUES ($1, $2, $3, 1000, 'usd') RETURNING id`,
    [world.organizationId, remittance?.id, await aProcessor(world)],
  );
  await asOwner(
    `INSERT INTO chapter_remittance_allocations
       (organization_id, remittance_id, chapter_id, invoice_id, amount_cents, reserved_by_attempt_id)
     VALUES ($1, $2, $3, $4, 1000, $5)`,
    [world.organizationId, remittance?.id, world.chapterId, invoiceId, attempt?.id],
  );
}

test('a fee adds a line, a waiver adds a discount, and credit pays the invoice', async () => {
  const id = await invoiceOf();
  await give(1_000);
  expect((await adjust(id, 'fee', 500)).body).toMatchObject({ total_cents: 10_500, balance_due_cents: 10_500 });
  expect((await adjust(id, 'waiver', 2_500)).body).toMatchObject({ discount_cents: 2_500, balance_due_cents: 8_000 });
  const credited = await adjust(id, 'credit', 1_000);
  expect([credited.status, credited.body]).toMatchObject([
    201,
    {
      status: 'partially_paid',
      credit_cents: 1_000,
      balance_due_cents: 7_000,
      lines: [{}, { description: 'Said at the meeting', amount_cents: 500, membership: world.member.membershipId }],
      discounts: [{ category: 'waiver', amount_cents: 2_500 }],
    },
  ]);
  const notifications = await stage.member.get('/api/notifications/?page_size=100');
  expect(JSON.stringify(notifications.body)).toContain('The balance of \\"Dues\\" has changed.');
});

test('credit pays no more than the payer has and no more than is due, also in concurrent requests', async () => {
  const id = await invoiceOf(world.member.membershipId, 900);
  await give(1_000);
  expect(await adjust(id, 'credit', 901)).toMatchObject({
    status: 400,
    body: { errors: { amount_cents: [expect.anything()] } },
  });
  const dearer = await invoiceOf();
  expect(await adjust(dearer, 'credit', 1_001)).toMatchObject({ status: 409, body: { code: 'credit_not_available' } });
  const all = await Promise.all(Array.from({ length: 5 }, () => adjust(dearer, 'credit', 1_000)));
  expect(all.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([201, 409, 409, 409, 409]);
  expect(await readCredit()).toBe(0);
});

test("officers adjust invoices of members, but not their own, not the chapter's, and grant no waivers", async () => {
  const { officer } = stage;
  const [members, own, chapters] = [
    await invoiceOf(),
    await invoiceOf(world.officer.membershipId),
    await invoiceOf(null),
  ];
  expect(await adjust(members, 'fee', 100, officer)).toMatchObject({ status: 201 });
  expect(await officer.post(at(members, 'payments'), byHand())).toMatchObject({ status: 201 });
  expect(await adjust(members, 'waiver', 100, officer)).toMatchObject({ status: 403 });
  expect(await officer.get(at(members, 'discounts'))).toMatchObject({ status: 403 });
  for (const path of ['adjust', 'payments']) {
    const body = path === 'adjust' ? { kind: 'fee', amount_cents: 100, reason: 'Late' } : byHand();
    expect(await officer.post(at(own, path), body)).toMatchObject({ status: 403, body: { code: 'own_invoice' } });
    expect(await officer.post(at(chapters, path), body)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    expect(await stage.member.post(at(members, path), body)).toMatchObject({ status: 403 });
    expect(await stage.as(world.otherOfficer).post(at(members, path), body)).toMatchObject({ status: 404 });
    await hideAmounts(true);
    expect(await officer.post(at(members, path), body)).toMatchObject({
      status: 403,
      body: { code: 'amounts_hidden' },
    });
    expect(await stage.admin.post(at(members, path), body)).toMatchObject({ status: 201 });
    await hideAmounts(false);
  }
});

test('an invoice with a pending allocation takes no other payment, but a fee', async () => {
  const id = await invoiceOf();
  await give(500);
  await reserve(id);
  const refused = { status: 409, body: { code: 'invoice_being_paid' } };
  expect(await adjust(id, 'credit', 500)).toMatchObject(refused);
  expect(await stage.admin.post(at(id, 'payments'), byHand())).toMatchObject(refused);
  expect(await adjust(id, 'fee', 500)).toMatchObject({ status: 201 });
});

test('a void invoice cannot be changed, but a repeated payment request gets its first answer', async () => {
  const id = await invoiceOf();
  const recorded = byHand();
  expect(await stage.admin.post(at(id, 'payments'), recorded)).toMatchObject({ status: 201 });
  const discount = (await stage.admin.post(at(id, 'discounts'), { amount_cents: 10, category: 'x', reason: 'Kind' }))
    .body;
  expect(await stage.admin.post(at(id, 'void'), { reason: 'A mistake' })).toMatchObject({ status: 200 });
  const refused = { status: 409, body: { code: 'invoice_void' } };
  for (const kind of ['credit', 'fee', 'waiver']) expect(await adjust(id, kind, 100)).toMatchObject(refused);
  expect(await stage.admin.post(at(id, 'payments'), byHand())).toMatchObject(refused);
  expect(await stage.admin.post(at(id, `discounts/${discount.id}/void`), { reason: 'Late' })).toMatchObject(refused);
  // A client that lost the answer gets it again.
  expect(await stage.admin.post(at(id, 'payments'), recorded)).toMatchObject({ status: 200 });
});

test('a discount is at most the sum of the lines, never becomes credit, and shows its reason to administrators only', async () => {
  const id = await invoiceOf(world.member.membershipId, 5_000);
  const before = await readCredit();
  expect(await stage.admin.post(at(id, 'payments'), byHand({ amount_cents: 3_000 }))).toMatchObject({ status: 201 });
  const grant = (amount_cents: number) =>
    stage.admin.post(at(id, 'discounts'), {
      amount_cents,
      category: 'hardship',
      reason: 'Lost a job',
      notes: 'Asked in May',
    });
  const granted = await grant(4_000);
  expect([granted.status, granted.body]).toMatchObject([
    201,
    { invoice: id, category: 'hardship', notes: 'Asked in May' },
  ]);
  expect(await grant(1_001)).toMatchObject({ status: 400, body: { errors: { amount_cents: [expect.anything()] } } });
  expect(await stage.admin.post(at(id, 'discounts'), { amount_cents: 1, category: 'x', reason: 'Hm' })).toMatchObject({
    status: 400,
    body: { errors: { reason: [expect.anything()] } },
  });
  expect((await stage.admin.get(at(id))).body).toMatchObject({ status: 'paid', balance_due_cents: 0 });
  const officerAnswer = await stage.officer.get(at(id));
  expect(officerAnswer.body.discounts).toMatchObject([{ amount_cents: 4_000, category: null, reason: null }]);
  expect(JSON.stringify(officerAnswer.body)).not.toContain('Asked in May');

  const voiding = () => stage.admin.post(at(id, `discounts/${granted.body.id}/void`), { reason: 'Found a job' });
  const both = await Promise.all([voiding(), voiding()]);
  expect(both.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409]);
  expect((await stage.admin.get(at(id, 'discounts'))).body).toMatchObject({
    count: 1,
    results: [{ void_reason: 'Found a job', voided_by: world.admin.userId }],
  });
  const { body: reopened } = await stage.admin.get(at(id));
  expect(reopened).toMatchObject({ status: 'partially_paid', balance_due_cents: 2_000, overdue_at: null });
  expect(await readCredit()).toBe(before);
});

test('a manual payment is recorded once per idempotency key, and its surplus becomes credit', async () => {
  const [id, another] = [await invoiceOf(world.member.membershipId, 3_000), await invoiceOf()];
  const before = await readCredit();
  const payment = byHand();
  const answers = await Promise.all(Array.from({ length: 10 }, () => stage.officer.post(at(id, 'payments'), payment)));
  expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
    ...Array<number>(9).fill(200),
    201,
  ]);
  expect(new Set(answers.map(({ body }) => body.payment)).size).toBe(1);
  expect(answers[0]?.body.invoice).toMatchObject({
    status: 'paid',
    paid_cents: 4_000,
    overpaid_cents: 1_000,
    payments: [{ method: 'check', reference: 'No. 17', received_on: '2026-01-15', amount_cents: 4_000 }],
  });
  expect(await readCredit()).toBe(before + 1_000);
  const mismatch = { status: 409, body: { code: 'idempotency_mismatch' } };
  expect(await stage.officer.post(at(id, 'payments'), { ...payment, amount_cents: 4_001 })).toMatchObject(mismatch);
  expect(await stage.officer.post(at(another, 'payments'), payment)).toMatchObject(mismatch);
  expect(await stage.admin.post(at(another, 'payments'), byHand({ received_on: '2150-01-01' }))).toMatchObject({
    status: 400,
    body: { errors: { received_on: [expect.anything()] } },
  });
});

test('one idempotency key sent for two invoices at once pays only one of them', async () => {
  const ids = [await invoiceOf(), await invoiceOf()];
  const payment = byHand();
  const answers = await Promise.all(ids.map((id) => stage.admin.post(at(id, 'payments'), payment)));
  expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([201, 409]);
});

test("another organization's invoice and another invoice's discount are not found", async () => {
  const { other } = stage;
  const foreign = await anInvoice(other, { chapterId: other.chapterId, membershipId: other.member.membershipId });
  const [id, another] = [await invoiceOf(), await invoiceOf()];
  const { body } = await stage.admin.post(at(id, 'discounts'), { amount_cents: 10, category: 'x', reason: 'Kind' });
  await expectNowhere(foreign, (which) => stage.admin.post(at(which, 'payments'), byHand()));
  await expectNowhere(foreign, (which) => stage.admin.get(at(which, 'discounts')));
  expect(await stage.admin.post(at(another, `discounts/${body.id}/void`), { reason: 'Elsewhere' })).toMatchObject({
    status: 404,
  });
});

test('the list of discounts takes the same number of statements for one and for several', async () => {
  const id = await invoiceOf();
  const grant = () => stage.admin.post(at(id, 'discounts'), { amount_cents: 10, category: 'x', reason: 'Kind' });
  await grant();
  const read = () => stage.admin.get(at(id, 'discounts'));
  const one = await countStatements(read);
  await grant();
  await grant();
  expect(await countStatements(read)).toBe(one);
});

describe('explanations of invoices and credit', () => {
  const explain = async (id: string, by = stage.admin) => (await by.get(at(id, 'explain'))).body;
  const steps = ({ cause, effect_cents, running_balance_cents }: Explanation<string>['entries'][number]) => [
    cause.kind,
    effect_cents,
    running_balance_cents,
  ];

  test('the explanation of an invoice ends with the balance and names the actor of each step', async () => {
    const id = await invoiceOf();
    await give(1_000);
    await adjust(id, 'fee', 500);
    const { body } = await stage.admin.post(at(id, 'discounts'), {
      amount_cents: 2_000,
      category: 'x',
      reason: 'Kind',
    });
    await adjust(id, 'credit', 1_000);
    await stage.officer.post(at(id, 'payments'), byHand());
    await stage.admin.post(at(id, `discounts/${body.id}/void`), { reason: 'Twice' });
    await stage.admin.post(at(id, 'payments'), byHand({ amount_cents: 6_000 }));
    const { entries, balance_cents } = await explain(id);
    expect(entries.map(steps)).toEqual([
      ['line', 10_000, 10_000],
      ['fee', 500, 10_500],
      ['discount', -2_000, 8_500],
      ['credit_applied', -1_000, 7_500],
      ['payment', -4_000, 3_500],
      ['discount_voided', 2_000, 5_500],
      // The part of a payment above the balance has become credit.
      ['payment', -5_500, 0],
      ['credit_issued', 0, 0],
    ]);
    expect(balance_cents).toBe(0);
    const [, fee, , , paid] = entries;
    expect([fee.actor.id, fee.reason]).toEqual([world.admin.userId, 'Said at the meeting']);
    expect([paid.actor.id, paid.reason, paid.cause.process]).toEqual([world.officer.userId, 'No. 17', null]);
    await stage.admin.post(at(id, 'void'), { reason: 'Never owed' });
    expect((await explain(id)).entries.at(-1)).toMatchObject({ running_balance_cents: 0 });
  });

  test('the explanation of a void invoice shows the amount owed when it was voided', async () => {
    const id = await invoiceOf();
    await stage.admin.post(at(id, 'payments'), byHand());
    await stage.admin.post(at(id, 'void'), { reason: 'Never owed' });
    const { entries } = await explain(id);
    expect(entries.map(steps)).toEqual([
      ['line', 10_000, 10_000],
      ['payment', -4_000, 6_000],
      ['void', -6_000, 0],
      ['credit_issued', 0, 0],
    ]);
    expect(entries[2]).toMatchObject({ amount_cents: 6_000, reason: 'Never owed', actor: { id: world.admin.userId } });
  });

  test('an explanation is read by the member, and by officers without reasons of discounts and hidden amounts', async () => {
    const id = await invoiceOf();
    await stage.admin.post(at(id, 'discounts'), { amount_cents: 2_000, category: 'x', reason: 'A hardship' });
    expect((await explain(id, stage.member)).entries[1]).toMatchObject({ reason: 'A hardship', effect_cents: -2_000 });
    expect((await explain(id, stage.officer)).entries[1]).toMatchObject({ reason: null, effect_cents: -2_000 });
    await hideAmounts(true);
    const hidden = await explain(id, stage.officer);
    expect(hidden).toMatchObject({ balance_cents: null, entries: [{}, { effect_cents: null, amount_cents: null }] });
    expect(JSON.stringify(hidden)).not.toMatch(/2000|8000|10000/);
    const foreign = await anInvoice(stage.other, {
      chapterId: stage.other.chapterId,
      membershipId: stage.other.member.membershipId,
    });
    await expectNowhere(foreign, (which) => stage.admin.get(at(which, 'explain')));
  });

  test('the explanation of credit is read by its payer and administrators with a fixed number of statements', async () => {
    const { organizationId, chapterId, member, officer } = world;
    const of = (membershipId: string) =>
      `/api/hq/dues/${organizationId}/chapters/${chapterId}/credit/explain/?member=${membershipId}`;
    await give(700);
    const read = () => stage.member.get(of(member.membershipId));
    const one = await countStatements(read);
    const id = await invoiceOf();
    await adjust(id, 'credit', 300);
    const { body } = await read();
    expect(body.entries.at(-1)).toMatchObject({ effect_cents: -300, running_balance_cents: body.balance_cents });
    expect(await countStatements(read)).toBe(one);
    expect(one).toBeLessThanOrEqual(4);
    expect(await countStatements(() => stage.admin.get(at(id, 'explain')))).toBeLessThanOrEqual(4);
    expect((await stage.admin.get(of(member.membershipId))).body).toEqual(body);
    expect(await stage.member.get(of(officer.membershipId))).toMatchObject({ status: 403 });
    expect(await stage.officer.get(of(member.membershipId))).toMatchObject({ status: 403 });
    expect(await stage.admin.get(of(stage.other.member.membershipId))).toMatchObject({ status: 404 });
  });
});
