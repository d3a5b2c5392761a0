/** Receipts and statements as PDFs: the same cents as the ledger and the explanation, read back from the text of the PDF. */
import { extractText, getDocumentProxy } from 'unpdf';
import { inTenant } from '../../../models/database/tenancy.js';
import { readChapterLedger } from '../../../models/finances/ledger/readChapterLedger.js';
import { readStatement } from '../../../models/finances/ledger/readStatement.js';
import { applyCredit } from '../../../models/finances/credit/applyCredit.js';
import { issueCredit } from '../../../models/finances/credit/issueCredit.js';
import { recordPayment } from '../../../models/finances/recordPayment.js';
import { recordRefund } from '../../../models/finances/recordRefund.js';
import { bothAccounts } from '../../support/accounts.js';
import { apiWorld, expectNowhere } from '../../support/apiWorld.js';
import { asOwner } from '../../support/owner.js';
import { paidByHand } from '../../support/payments.js';
import { countStatements } from '../../support/statements.js';
import { anInvoice, aWorld, type Person, type World } from '../../support/world.js';

const stage = apiWorld();
const { as } = stage;

const OWN = '/api/billing/me/statement/';
const ofChapter = ({ chapterId }: World) => `/api/chapters/${chapterId}/finances/statement/`;

/** Extracts the text of each page of the PDF. */
async function pages(by: Person, path: string): Promise<string[]> {
  const response = await fetch(`${stage.api.url}${path}`, { headers: { Authorization: `Bearer ${by.token}` } });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/pdf']);
  expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="[\w.-]+\.pdf"$/);
  const document = await getDocumentProxy(new Uint8Array(await response.arrayBuffer()));
  expect(await document.getMarkInfo()).toMatchObject({ Marked: true });
  return (await extractText(document)).text;
}
const pay = ({ organizationId }: World, invoiceId: string, amountCents: number) =>
  paidByHand(organizationId, invoiceId, amountCents);
const owing = async (membership: 'member' | null, cents = 12_345) => {
  const world = await aWorld();
  const membershipId = membership && world.member.membershipId;
  return { world, invoice: await anInvoice(world, { chapterId: world.chapterId, membershipId, cents }) };
};

test('a receipt shows what was billed, what was paid, what is due, and its date', async () => {
  const { world, invoice } = await owing('member');
  await pay(world, invoice, 2_345);
  const [page, ...others] = await pages(world.member, `/api/invoices/${invoice}/receipt/`);
  expect(others).toEqual([]);
  for (const phrase of [
    'Receipt: Dues',
    'USD 123.45',
    '-USD 23.45',
    'Due: USD 100.00',
    'Payment',
    'As of 20',
    'Page 1 of 1',
  ])
    expect(page).toContain(phrase);
  expect(page).toContain(`Billed to: First Last ${world.member.email.split('@')[0]}`);
  await expectNowhere(invoice, (id) => as(stage.other.member).get(`/api/invoices/${id}/receipt/`));
});

test('an officer who sees no amounts gets documents without any amount', async () => {
  const { world, invoice } = await owing('member', 98_765);
  const theirs = await anInvoice(world, { chapterId: world.chapterId, membershipId: null, cents: 87_654 });
  await asOwner('UPDATE org_dues_settings SET officers_see_amounts = false WHERE organization_id = $1', [
    world.organizationId,
  ]);
  await pay(world, invoice, 12_321);
  await pay(world, theirs, 12_321);
  const fee = { kind: 'fee', amount_cents: 100, reason: 'You promised 55.55' };
  expect((await as(world.admin).post(`/api/invoices/${invoice}/adjust/`, fee)).status).toBe(201);
  for (const path of [`/api/invoices/${invoice}/receipt/`, ofChapter(world)]) {
    // Digits of ids and of generated names are no amounts.
    const text = (await pages(world.officer, path)).join('\n').replace(/[\da-f]{8}-[\da-f-]{27}/g, '');
    expect(text).toContain('Payment');
    expect(text).not.toMatch(/USD|987\.?65|876\.?54|123\.?21|55\.55/);
  }
  expect((await pages(world.admin, ofChapter(world))).join('\n')).toContain('USD 876.54');
});

test('a statement has the balances of the ledger for every span', async () => {
  const { world, invoice } = await owing(null);
  await pay(world, invoice, 2_000);
  const { chapterId: chapter, organizationId } = world;
  const today = new Date().toISOString().slice(0, 10);
  for (const span of [{}, { from: today }, { to: '2001-01-01' }, { from: '2001-01-01', to: today }]) {
    const [ledger, statement] = await inTenant(organizationId, async () => [
      await readChapterLedger({ chapter, newestFirst: false, page: 1, pageSize: 100, ...span }),
      await readStatement('chapter', chapter, span, 100),
    ]);
    expect([statement.opening_balance_cents, statement.closing_balance_cents]).toEqual([
      ledger.opening_balance_cents,
      ledger.closing_balance_cents,
    ]);
    expect(statement.entries.map(({ running_balance_cents: cents }) => cents)).toEqual(
      ledger.results.map(({ running_balance_cents: cents }) => cents),
    );
  }
  const [page] = await pages(world.officer, `${ofChapter(world)}?from=2001-01-01`);
  expect(page).toContain('Balance at the start: USD 0.00');
  expect(page).toContain('Balance at the end: USD 103.45');
});

const charge = (invoiceId: string, intentId: string, amountCents: number) =>
  recordPayment({ invoiceId, processorId: null, processorPaymentId: intentId, intentId, amountCents });

/** Makes an account with every kind of entry, without overpayments. */
async function aVariedAccount(world: World, membershipId: string | null): Promise<void> {
  const { organizationId, chapterId } = world;
  const bill = (cents: number) => anInvoice(world, { chapterId, membershipId, cents });
  const [first, second, third, fourth] = [await bill(10_000), await bill(5_000), await bill(3_000), await bill(4_000)];
  const post = async (path: string, body: object) =>
    expect((await as(world.admin).post(path, body)).status).toBeLessThan(202);
  const [intentId, other] = [`pi_${first}`, `pi_${second}`];
  for (const happens of [
    () => charge(first, intentId, 9_000),
    () => charge(second, other, 4_500),
    () => recordRefund({ intentId, refundedCents: 1_001 }),
    () => recordRefund({ intentId, refundedCents: 2_003 }),
    () => recordRefund({ intentId, refundedCents: 2_000, mayBeLess: true }),
    () => recordRefund({ intentId: other, refundedCents: 700, byDispute: true }),
    () => recordRefund({ intentId: other, refundedCents: 400, mayBeLess: true, byDispute: true }),
    () => issueCredit({ payer: { chapterId, membershipId }, amountCents: 888, reason: 'A gift' }),
    () => applyCredit(third, { upToCents: 99 }),
  ])
    await inTenant<unknown>(organizationId, happens);
  await post(`/api/invoices/${third}/discounts/`, { amount_cents: 50, category: 'kind', reason: 'A gift' });
  await post(`/api/invoices/${third}/adjust/`, { kind: 'fee', amount_cents: 77, reason: 'Late' });
  await post(`/api/invoices/${fourth}/void/`, { reason: 'A mistake' });
}

test.each(['Pacific/Kiritimati', 'Pacific/Pago_Pago'])(
  'a statement prints the entries of the account one by one, by the days of %s',
  async (zone) => {
    const world = await aWorld();
    const { organizationId, chapterId } = world;
    await asOwner('UPDATE organizations SET timezone = $2 WHERE id = $1', [organizationId, zone]);
    await aVariedAccount(world, world.member.membershipId);
    await aVariedAccount(world, null);
    const { listed, printed } = await inTenant(organizationId, () => bothAccounts(world.member.membershipId, zone));
    expect(printed).toEqual(listed);
    expect(new Set(printed.entries.map(({ kind }) => kind)).size).toBeGreaterThan(6);

    const [ledger, statement] = await inTenant(organizationId, async () => [
      await readChapterLedger({ chapter: chapterId, newestFirst: false, page: 1, pageSize: 1_000 }),
      await readStatement('chapter', chapterId, {}, 1_000),
    ]);
    const dayOf = new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' });
    expect(statement.entries).toEqual(
      ledger.results.map(({ kind, description, effect_cents, credit_cents, running_balance_cents, occurred_at }) => ({
        kind,
        description,
        effect_cents,
        credit_cents,
        running_balance_cents,
        day: dayOf.format(new Date(occurred_at)),
      })),
    );
  },
);

test('a refund keeps its day when its payment changes later', async () => {
  const { world, invoice } = await owing('member', 10_000);
  const intentId = `pi_${invoice}`;
  await inTenant(world.organizationId, () => charge(invoice, intentId, 9_000));
  await inTenant(world.organizationId, () => recordRefund({ intentId, refundedCents: 1_000 }));
  const refunds = async () => {
    const { results } = (await as(world.member).get('/api/billing/me/ledger/')).body;
    return results.filter(({ kind }: { kind: string }) => kind === 'refund');
  };
  const before = await refunds();
  expect(before).toMatchObject([{ amount_cents: 1_000, description: 'Refund' }]);
  const touched = () =>
    asOwner('UPDATE payment_records SET failure_code = failure_code WHERE invoice_id = $1 RETURNING updated_at', [
      invoice,
    ]);
  expect(await touched()).not.toEqual(await touched());
  expect(await refunds()).toEqual(before);
  await inTenant(world.organizationId, () => recordRefund({ intentId, refundedCents: 1_500 }));
  expect(await refunds()).toMatchObject([{ amount_cents: 500 }, before[0]]);
});

test('a receipt dates a manual payment by the day of its receipt, and the account shows that day', async () => {
  const { world, invoice } = await owing('member', 10_000);
  const received_on = '2025-12-31';
  const payment = { amount_cents: 2_345, method: 'check', reference: 'Check 17', received_on, idempotency_key: 'a' };
  expect((await as(world.admin).post(`/api/invoices/${invoice}/payments/`, payment)).status).toBe(201);
  const [receipt] = await pages(world.member, `/api/invoices/${invoice}/receipt/`);
  expect(receipt).toMatch(/2025-12-31\s+Payment: Check 17\s+-USD 23\.45/);
  const explained = (await as(world.member).get(`/api/invoices/${invoice}/explain/`)).body;
  expect(explained.entries.map((entry: { received_on: string }) => entry.received_on)).toEqual([null, received_on]);
  const [own] = await pages(world.member, OWN);
  expect(own).toMatch(/Payment received on\s+2025-12-31/);
  expect((await as(world.member).get('/api/billing/me/ledger/')).body.results[0]).toMatchObject({
    kind: 'payment',
    description: `Payment received on ${received_on}`,
  });
});

test('a statement of 200 lines with long names breaks into pages with headings and loses no line', async () => {
  const world = await aWorld();
  const long = 'Annual contribution to the fund for the house and its garden '.repeat(3).trim();
  for (let n = 0; n < 200; n += 1) {
    const id = await anInvoice(world, {
      chapterId: world.chapterId,
      membershipId: world.member.membershipId,
      cents: 100 + n,
    });
    if (n % 50 === 0) await asOwner('UPDATE chapter_invoices SET description = $2 WHERE id = $1', [id, long]);
  }
  const read = await pages(world.member, OWN);
  expect(read.length).toBeGreaterThan(3);
  for (const [n, page] of read.entries()) {
    expect(page).toContain('What happened');
    expect(page).toContain(`Page ${n + 1} of ${read.length}`);
  }
  const text = read.join('\n');
  for (let n = 0; n < 200; n += 1) expect(text).toContain(`USD ${((100 + n) / 100).toFixed(2)}`);
  expect(text.replace(/\s+/g, ' ')).toContain(long);
  expect(text).toContain('Balance at the end: USD 399.00');
});

test('long reasons keep their amounts beside them in a receipt, and a statement prints a discount once as an adjustment', async () => {
  const { world, invoice } = await owing('member', 10_000);
  for (const [cents, reason] of [
    [101, '\u4f1a'.repeat(500)],
    [102, `first${'\n'.repeat(480)}last`],
  ] as const)
    expect(
      await as(world.admin).post(`/api/invoices/${invoice}/discounts/`, {
        amount_cents: cents,
        category: 'kind',
        reason,
      }),
    ).toMatchObject({ status: 201 });
  const receipt = await pages(world.member, `/api/invoices/${invoice}/receipt/`);
  expect(receipt.length).toBeLessThan(3);
  expect(receipt.join('\n').replace(/\s+/g, ' ')).toMatch(/4F1A.*… -USD 1\.01 USD 98\.99.*first last -USD 1\.02/);
  expect(receipt.join('\n')).toContain('Discounts: USD 2.03');
  const [own] = await pages(world.member, OWN);
  expect(own).toContain('Adjustment -USD 1.01');
  expect(own).not.toContain('adjustment');
});

test('invalid dates and reversed spans are refused at their field', async () => {
  const { world } = stage;
  expect((await as(world.member).get(`${OWN}?from=2026-02-30`)).body.errors).toHaveProperty('from');
  expect((await as(world.officer).get(`${ofChapter(world)}?from=2026-03-01&to=2026-02-01`)).body.errors).toHaveProperty(
    'to',
  );
  expect((await as(world.member).get(`${OWN}?from=2199-01-01`)).body.errors).toHaveProperty('from');
  expect((await as(world.member).get(ofChapter(world))).status).toBe(403);
  expect((await as(world.member).get(`${OWN}?membership=${world.officer.membershipId}`)).status).toBe(404);
  await expectNowhere(world.chapterId, (id) => as(stage.other.admin).get(`/api/chapters/${id}/finances/statement/`));
});

test('a statement is read with the same number of SQL statements for few and for many entries', async () => {
  const world = await aWorld();
  const one = () => inTenant(world.organizationId, () => readStatement('member', world.member.membershipId, {}, 100));
  await anInvoice(world, { chapterId: world.chapterId, membershipId: world.member.membershipId });
  const few = await countStatements(one);
  for (let n = 0; n < 10; n += 1)
    await anInvoice(world, { chapterId: world.chapterId, membershipId: world.member.membershipId });
  expect(await countStatements(one)).toBe(few);
});
