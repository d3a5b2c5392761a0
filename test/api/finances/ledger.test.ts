import { randomUUID } from 'node:crypto';
import { inTenant } from '../../../models/database/tenancy.js';
import { recordInvoiceCharge } from '../../../models/finances/captures/recordInvoiceCharge.js';
import { applyCredit } from '../../../models/finances/credit/applyCredit.js';
import { recordRefund } from '../../../models/finances/recordRefund.js';
import { apiWorld } from '../../support/apiWorld.js';
import { asOwner } from '../../support/owner.js';
import { paidByHand } from '../../support/payments.js';
import { aProcessor } from '../../support/platform.js';
import { countStatements } from '../../support/statements.js';
import { aMember, anInvoice, aWorld, type World } from '../../support/world.js';

const stage = apiWorld();
const pathOf = (chapter: string, query = '') => `/api/chapters/${chapter}/finances/ledger/${query}`;
const read = (world: World, query = '', by = world.officer) => stage.as(by).get(pathOf(world.chapterId, query));

const bill = (world: World, cents: number, dueIn = 14) =>
  anInvoice(world, { chapterId: world.chapterId, membershipId: null, cents, dueIn });
const pay = (world: World, invoiceId: string, amountCents: number) =>
  paidByHand(world.organizationId, invoiceId, amountCents);
const discount = (world: World, id: string, amount_cents: number) =>
  stage
    .as(world.admin)
    .post(`/api/invoices/${id}/discounts/`, { amount_cents, category: 'hardship', reason: 'Their house burnt down' });
const dueNow = async ({ chapterId }: World): Promise<number> => {
  const [row] = await asOwner<{ due: number }>(
    'SELECT sum(balance_due_cents)::int AS due FROM chapter_invoices WHERE chapter_id = $1 AND membership_id IS NULL',
    [chapterId],
  );
  return row?.due ?? 0;
};

interface Entry {
  id: string;
  kind: string;
  description: string;
  amount_cents: number;
  effect_cents: number;
  running_balance_cents: number;
}

/** A chapter with invoices, a payment, credit, a discount, a fee and a void invoice. */
async function aChapterWithHistory(): Promise<World> {
  const world = await aWorld();
  const [first, second, third] = [await bill(world, 10_000), await bill(world, 5_000), await bill(world, 3_000)];
  await pay(world, first, 12_500);
  await inTenant(world.organizationId, () => applyCredit(second));
  await discount(world, second, 4_000);
  await stage.as(world.admin).post(`/api/invoices/${third}/adjust/`, { kind: 'fee', amount_cents: 77, reason: 'Late' });
  await stage.as(world.admin).post(`/api/invoices/${await bill(world, 4_000)}/void/`, { reason: 'A mistake' });
  await anInvoice(world, { chapterId: world.chapterId, membershipId: world.member.membershipId, cents: 99_999 });
  return world;
}

test('the ledger of a chapter is read by its officers and the admins who oversee it', async () => {
  const { world, other } = stage;
  const path = pathOf(world.chapterId);
  expect(await stage.nobody.get(path)).toMatchObject({ status: 401 });
  expect(await stage.member.get(path)).toMatchObject({ status: 403 });
  expect(await stage.as(world.otherOfficer).get(path)).toMatchObject({ status: 403 });
  for (const by of [world.officer, world.admin, world.regionalAdmin])
    expect(await stage.as(by).get(path)).toMatchObject({ status: 200, body: { chapter: world.chapterId } });
  for (const id of [other.chapterId, randomUUID()])
    expect(await stage.admin.get(pathOf(id))).toMatchObject({ status: 404, body: { code: 'not_found' } });
  for (const query of [
    '?from=yesterday',
    '?to=2026-02-30',
    '?from=2026-03-02&to=2026-03-01',
    '?ordering=amount_cents',
    '?payer_type=member',
  ])
    expect(await stage.officer.get(path + query)).toMatchObject({ status: 400 });
});

test('the last running balance is what the chapter owes, without what its members owe', async () => {
  const world = await aChapterWithHistory();
  const { body } = await read(world, '?page_size=100');
  expect(body).toMatchObject({ opening_balance_cents: 0, closing_balance_cents: await dueNow(world), currency: 'usd' });
  expect(body.results[0].running_balance_cents).toBe(body.closing_balance_cents);
  expect(new Set(body.results.map(({ kind }: Entry) => kind))).toEqual(
    new Set(['invoice', 'payment', 'credit_issued', 'credit_applied', 'adjustment', 'fee', 'void']),
  );
  expect(JSON.stringify(body)).not.toMatch(/hardship|burnt|99999/);
  for (const { explain } of body.results) expect(explain).toMatch(/^\/api\/invoices\/.*\/explain\/$/);
});

test('a running balance is the same on every page and in either order', async () => {
  const world = await aChapterWithHistory();
  const whole: Entry[] = (await read(world, '?page_size=100&ordering=occurred_at')).body.results;
  let balance = 0;
  for (const { effect_cents, running_balance_cents } of whole) {
    balance += effect_cents;
    expect(running_balance_cents).toBe(balance);
  }
  for (const ordering of ['occurred_at', '-occurred_at']) {
    const pages: Entry[] = [];
    for (let page = 1; page <= Math.ceil(whole.length / 2); page += 1)
      pages.push(...(await read(world, `?page_size=2&page=${page}&ordering=${ordering}`)).body.results);
    expect(ordering === 'occurred_at' ? pages : pages.toReversed()).toEqual(whole);
  }
  expect(await read(world, '?page=99')).toMatchObject({ status: 404, body: { code: 'page_not_found' } });
});

test.each(['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'America/New_York', 'No/Such'])(
  'a span begins and ends with the days of the organization (%s)',
  async (zone) => {
    const world = await aWorld();
    await asOwner('UPDATE organizations SET timezone = $2 WHERE id = $1', [world.organizationId, zone]);
    const [before, within, after] = [await bill(world, 1_000), await bill(world, 200), await bill(world, 30)];
    const at = (id: string, time: string) =>
      asOwner(`UPDATE chapter_invoices SET created_at = $2::timestamp AT TIME ZONE $3 WHERE id = $1`, [
        id,
        time,
        zone === 'No/Such' ? 'UTC' : zone,
      ]);
    await at(before, '2026-03-07 23:59:59');
    await at(within, '2026-03-08 00:00:00');
    await at(after, '2026-03-09 00:00:00');
    const { body } = await read(world, '?from=2026-03-08&to=2026-03-08');
    expect(body).toMatchObject({ opening_balance_cents: 1_000, closing_balance_cents: 1_200, count: 1 });
    expect(body.results).toMatchObject([{ invoice: within, running_balance_cents: 1_200 }]);
    expect((await read(world, '?from=2026-03-09')).body).toMatchObject({
      opening_balance_cents: 1_200,
      closing_balance_cents: 1_230,
    });
    expect((await read(world, '?to=2026-03-07')).body).toMatchObject({
      opening_balance_cents: 0,
      closing_balance_cents: 1_000,
    });
  },
);

test('the ledger of a term has only its entries, and an unknown term is empty', async () => {
  const world = await aWorld();
  const mine = await bill(world, 1_000);
  await asOwner('UPDATE chapter_invoices SET term_id = NULL WHERE id = $1', [await bill(world, 500)]);
  expect((await read(world, `?term=${world.termId}`)).body).toMatchObject({
    closing_balance_cents: 1_000,
    results: [{ invoice: mine }],
  });
  for (const id of [stage.other.termId, randomUUID()])
    expect((await read(world, `?term=${id}`)).body).toMatchObject({ closing_balance_cents: 0, count: 0, results: [] });
});

test('a settled remittance is an entry that does not change the balance', async () => {
  const world = await aWorld();
  await bill(world, 1_000);
  await asOwner(
    `INSERT INTO chapter_remittances (organization_id, chapter_id, created_by, total_cents, processor_payment_id, settled_at)
     VALUES ($1, $2, $3, 4321, $4, now())`,
    [world.organizationId, world.chapterId, world.officer.userId, `pi_${randomUUID()}`],
  );
  const { body } = await read(world);
  expect(body).toMatchObject({ closing_balance_cents: 1_000, count: 2 });
  expect(body.results).toContainEqual(
    expect.objectContaining({ kind: 'remittance', amount_cents: 4_321, effect_cents: 0, running_balance_cents: 1_000 }),
  );
});

test('a refund revokes the credit of its payment, and the amount is due again from the day of the refund', async () => {
  const world = await aWorld();
  const [first, second] = [await bill(world, 1_000), await bill(world, 700)];
  const processorId = await aProcessor(world);
  const intentId = `pi_${randomUUID()}`;
  const inWorld = <T>(work: () => Promise<T>) => inTenant(world.organizationId, work);
  await inWorld(() =>
    recordInvoiceCharge({
      processorId,
      intentId,
      invoiceId: first,
      amountCents: 1_300,
      currency: 'usd',
      attemptId: null,
    }),
  );
  await inWorld(() => applyCredit(second));
  for (const refundedCents of [450, 1_300]) {
    await inWorld(() => recordRefund({ intentId, refundedCents }));
    const { body } = await read(world, '?ordering=occurred_at');
    expect(body.closing_balance_cents).toBe(await dueNow(world));
    expect(body.results.at(-1)).toMatchObject({ running_balance_cents: body.closing_balance_cents });
  }
  expect(await dueNow(world)).toBe(1_700);
  const kinds = (await read(world)).body.results.map(({ kind }: Entry) => kind);
  expect(kinds.filter((kind: string) => kind === 'refund')).toHaveLength(2);
  const yesterday = new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10);
  expect((await read(world, `?to=${yesterday}`)).body).toMatchObject({ closing_balance_cents: 0 });
});

test('regenerated dues are owed once', async () => {
  const world = await aWorld({ members: 1 });
  const id = await bill(world, 10_000);
  await asOwner('UPDATE chapter_invoices SET is_recurring = true WHERE id = $1', [id]);
  await asOwner(`UPDATE org_dues_settings SET billing_mode = 'bill_chapter' WHERE organization_id = $1`, [
    world.organizationId,
  ]);
  await asOwner(
    `INSERT INTO dues_rates (organization_id, term_id, status, amount_cents) VALUES ($1, $2, 'undergrad', 3000)`,
    [world.organizationId, world.termId],
  );
  await pay(world, id, 2_500);
  const path = `/api/hq/dues/${world.organizationId}/invoices/${id}/regenerate/`;
  expect(await stage.as(world.admin).post(path, {})).toMatchObject({ status: 201 });
  const { body } = await read(world, '?ordering=occurred_at');
  expect(body.closing_balance_cents).toBe(await dueNow(world));
  expect(body.closing_balance_cents).toBe(2 * 3_000 - 2_500);
  const balances = body.results.map(({ kind, running_balance_cents }: Entry) => [kind, running_balance_cents]);
  expect(balances.slice(0, 2)).toEqual([
    ['invoice', 10_000],
    ['payment', 7_500],
  ]);
});

test('officers who see no amounts get no amount in any entry or balance', async () => {
  const world = await aChapterWithHistory();
  await asOwner('UPDATE org_dues_settings SET officers_see_amounts = false WHERE organization_id = $1', [
    world.organizationId,
  ]);
  const cents = (body: object) => [...JSON.stringify(body).matchAll(/"\w+_cents":([^,}]+)/g)].map(([, value]) => value);
  const { body } = await read(world, '?page_size=100');
  expect(body.count).toBeGreaterThan(5);
  expect(new Set(cents(body))).toEqual(new Set(['null']));
  expect(cents((await read(world, '', world.regionalAdmin)).body)).not.toContain('null');
});

test('the ledger takes one statement inside the transaction for any number of entries', async () => {
  const world = await aWorld();
  await bill(world, 1_000);
  const list = () => read(world, '?page_size=100');
  const before = await countStatements(list);
  for (let n = 0; n < 5; n += 1) await pay(world, await bill(world, 1_000), 400);
  expect(await countStatements(list)).toBe(before);
  expect(before).toBe(1);
});

test('invoices of another chapter and its members are not in the ledger', async () => {
  const world = await aWorld();
  const { membershipId } = await aMember(world.organizationId, world.otherChapterId);
  await anInvoice(world, { chapterId: world.otherChapterId, membershipId, cents: 1_000 });
  await anInvoice(world, { chapterId: world.otherChapterId, membershipId: null, cents: 1_000 });
  expect((await read(world)).body).toMatchObject({ closing_balance_cents: 0, count: 0 });
});
