import { randomUUID } from 'node:crypto';
import { BUCKETS } from '../../../models/finances/roster/listCollectionRoster.js';
import { apiWorld } from '../../support/apiWorld.js';
import { asOwner } from '../../support/owner.js';
import { paidByHand } from '../../support/payments.js';
import { countStatements } from '../../support/statements.js';
import { aMember, anInvoice, aWorld, type Person, type World } from '../../support/world.js';

const stage = apiWorld();
const ROSTER = '/api/billing/roster/';
const ledgerOf = (membership: string) => `${ROSTER}${membership}/ledger/`;

const bill = ({ chapterId, membershipId }: Person, cents: number, dueIn = 14) =>
  anInvoice(stage.world, { chapterId, membershipId, cents, dueIn });
const pay = (invoiceId: string, amountCents: number) => paidByHand(stage.world.organizationId, invoiceId, amountCents);
const someone = (status = 'undergrad', chapterId = stage.world.chapterId) =>
  aMember(stage.world.organizationId, chapterId, 'member', status);
const rename = ({ userId }: Person, last: string) =>
  asOwner(`UPDATE users SET first_name = 'Ann', last_name = $2 WHERE id = $1`, [userId, last]);
const seeAmounts = (visible: boolean) =>
  asOwner('UPDATE org_dues_settings SET officers_see_amounts = $2 WHERE organization_id = $1', [
    stage.world.organizationId,
    visible,
  ]);
const rowOf = async (person: Person, by = stage.officer) =>
  (await by.get(`${ROSTER}?page_size=100`)).body.results.find(
    ({ membership }: { membership: string }) => membership === person.membershipId,
  );

afterEach(() => seeAmounts(true));

test('the roster is read by officers of the chapter and the admins who oversee it', async () => {
  const { chapterId, otherChapterId } = stage.world;
  expect(await stage.nobody.get(ROSTER)).toMatchObject({ status: 401 });
  expect(await stage.member.get(ROSTER)).toMatchObject({ status: 403 });
  for (const by of [stage.officer, stage.admin, stage.as(stage.world.regionalAdmin)]) {
    expect(await by.get(`${ROSTER}?chapter=${chapterId}`)).toMatchObject({ status: 200 });
  }
  for (const by of [stage.officer, stage.as(stage.world.regionalAdmin)]) {
    expect(await by.get(`${ROSTER}?chapter=${otherChapterId}`)).toMatchObject({ status: 403 });
  }
  for (const id of [stage.other.chapterId, randomUUID()]) {
    for (const by of [stage.officer, stage.admin]) {
      expect(await by.get(`${ROSTER}?chapter=${id}`)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    }
  }
});

test('a person who sees several chapters must name one', async () => {
  expect(await stage.officer.get(ROSTER)).toMatchObject({ status: 200 });
  expect(await stage.admin.get(ROSTER)).toMatchObject({
    status: 400,
    body: { errors: { chapter: expect.any(Array) } },
  });
  for (const query of ['bucket=rich', 'chapter=mine', 'balance_cents=5', 'ordering=balance_cents', 'page=0'])
    expect(await stage.officer.get(`${ROSTER}?${query}`)).toMatchObject({ status: 400 });
});

test('each member is in the first bucket that applies', async () => {
  const people = {
    delinquent: await someone(),
    due: await someone(),
    credit: await someone(),
    settled: await someone(),
    none: await someone(),
  };
  await bill(people.delinquent, 1_000, -3);
  await bill(people.delinquent, 2_000, 5);
  await bill(people.due, 3_000, 5);
  await pay(await bill(people.credit, 1_000), 1_500);
  await pay(await bill(people.settled, 1_000, -5), 1_000);
  const rows = (balance_cents: number, more: object) => ({ balance_cents, credit_cents: 0, is_former: false, ...more });
  const expected = {
    delinquent: rows(3_000, { open_invoices: 2, overdue_invoices: 1, oldest_due_date: expect.any(String) }),
    due: rows(3_000, { open_invoices: 1, overdue_invoices: 0 }),
    credit: rows(0, { credit_cents: 500, open_invoices: 0, oldest_due_date: null }),
    settled: rows(0, { open_invoices: 0 }),
    none: rows(0, { open_invoices: 0, plan: null, freeze_expires_at: null }),
  };
  for (const [bucket, row] of Object.entries(expected))
    expect(await rowOf(people[bucket as keyof typeof people])).toMatchObject({ bucket, ...row });
  const { count } = (await stage.officer.get(ROSTER)).body;
  const counts = await Promise.all(
    BUCKETS.map(async (bucket) => (await stage.officer.get(`${ROSTER}?bucket=${bucket}`)).body.count as number),
  );
  expect(counts.reduce((sum, one) => sum + one, 0)).toBe(count);
});

test('the roster lists overdue members first, then by oldest due date, then by name', async () => {
  const [anna, berta, carla, doris] = await Promise.all([someone(), someone(), someone(), someone()]);
  for (const [person, name] of [
    [anna, 'Ordered D'],
    [berta, 'Ordered C'],
    [carla, 'Ordered B'],
    [doris, 'Ordered A'],
  ] as const)
    await rename(person, name);
  await bill(anna, 1_000, -2);
  await bill(berta, 9_000, -1);
  await bill(carla, 9_000, 3);
  const list = (page: number) => stage.officer.get(`${ROSTER}?search=ordered&page_size=2&page=${page}`);
  const ids = [...(await list(1)).body.results, ...(await list(2)).body.results].map(({ membership }) => membership);
  expect(ids).toEqual([anna, berta, carla, doris].map(({ membershipId }) => membershipId));
  expect(await list(3)).toMatchObject({ status: 404, body: { code: 'page_not_found' } });
  expect((await stage.officer.get(`${ROSTER}?search=ord%25ed`)).body.count).toBe(0);
});

test('a former member is listed while they owe something', async () => {
  const [owing, settledMember] = [await someone('alumni'), await someone('disaffiliated')];
  const invoice = await bill(owing, 1_000, 3);
  expect(await rowOf(owing)).toMatchObject({ is_former: true, bucket: 'due' });
  expect(await rowOf(settledMember)).toBeUndefined();
  await pay(invoice, 1_000);
  expect(await rowOf(owing)).toBeUndefined();
});

test('a transferred member is former at the old chapter and leaves its roster once nothing is owed', async () => {
  const [owing, settled, resting] = [await someone(), await someone(), await someone()];
  const invoice = await bill(owing, 1_000, 3);
  await pay(await bill(settled, 1_000, 3), 1_000);
  for (const { membershipId } of [owing, settled]) {
    const path = `/api/memberships/${membershipId}/transfer/`;
    const to = { to_chapter: stage.world.otherChapterId };
    const { preview_hash } = (await stage.admin.post(path, { ...to, dry_run: true })).body;
    expect((await stage.admin.post(path, { ...to, preview_hash })).status).toBe(201);
  }
  expect((await stage.admin.patch(`/api/memberships/${resting.membershipId}/`, { status: 'inactive' })).status).toBe(
    200,
  );
  expect(await rowOf(owing)).toMatchObject({ status: 'inactive', is_former: true, bucket: 'due' });
  expect(await rowOf(settled)).toBeUndefined();
  expect(await rowOf(resting)).toBeUndefined();
  await pay(invoice, 1_000);
  expect(await rowOf(owing)).toBeUndefined();
});

test('officers who see no amounts still see buckets, counts and dates', async () => {
  const person = await someone();
  await bill(person, 7_731, -3);
  await seeAmounts(false);
  const hidden = {
    bucket: 'delinquent',
    open_invoices: 1,
    overdue_invoices: 1,
    balance_cents: null,
    credit_cents: null,
  };
  expect(await rowOf(person)).toMatchObject(hidden);
  const { body } = await stage.officer.get(ledgerOf(person.membershipId));
  expect(body).toMatchObject({ balance_due_cents: null, available_credit_cents: null, shortfall_cents: null });
  expect(body.results).toMatchObject([{ kind: 'invoice', amount_cents: null, credit_cents: null }]);
  for (const by of [stage.admin, stage.as(stage.world.regionalAdmin)]) {
    const shown = await by.get(`${ROSTER}?chapter=${person.chapterId}&bucket=delinquent&page_size=100`);
    expect(shown.body.results).toContainEqual(
      expect.objectContaining({ membership: person.membershipId, balance_cents: 7_731 }),
    );
    expect((await by.get(ledgerOf(person.membershipId))).body).toMatchObject({ balance_due_cents: 7_731 });
  }
});

test('the ledger of a member shows discounts to officers without the reasons', async () => {
  const person = await someone();
  const invoice = await bill(person, 5_000);
  const discount = { amount_cents: 500, category: 'hardship', reason: 'Lost the job', notes: 'Very private' };
  expect(await stage.admin.post(`/api/invoices/${invoice}/discounts/`, discount)).toMatchObject({ status: 201 });
  await pay(invoice, 5_000);
  const { body } = await stage.officer.get(ledgerOf(person.membershipId));
  expect(body).toMatchObject({ membership: person.membershipId, balance_due_cents: 0, available_credit_cents: 500 });
  const rows = body.results.map((entry: Record<string, unknown>) => [
    entry.kind,
    entry.description,
    entry.amount_cents,
  ]);
  expect(rows.toReversed()).toEqual([
    ['invoice', 'Dues', 5_000],
    ['adjustment', 'Adjustment', -500],
    ['payment', 'Payment', -5_000],
    ['credit_issued', 'Credit', 500],
  ]);
  expect(JSON.stringify(body)).not.toMatch(/hardship|job|private/);
  for (const { explain } of body.results) expect(await stage.officer.get(explain)).toMatchObject({ status: 200 });
  expect((await stage.as(person).get('/api/billing/me/ledger/')).body.results).toContainEqual(
    expect.objectContaining({ kind: 'discount', explain: `/api/invoices/${invoice}/explain/` }),
  );
});

test('an officer does not find the ledger of a member of another chapter', async () => {
  const theirs = await someone('undergrad', stage.world.otherChapterId);
  for (const id of [theirs.membershipId, stage.other.member.membershipId, randomUUID()])
    for (const query of ['', '?page=2'])
      expect(await stage.officer.get(ledgerOf(id) + query)).toMatchObject({ status: 404, body: { code: 'not_found' } });
  expect(await stage.officer.get(ledgerOf('mine'))).toMatchObject({ status: 404 });
  expect(await stage.member.get(ledgerOf(stage.world.member.membershipId))).toMatchObject({ status: 403 });
  expect(await stage.nobody.get(ledgerOf(theirs.membershipId))).toMatchObject({ status: 401 });
  expect(await stage.admin.get(ledgerOf(theirs.membershipId))).toMatchObject({ status: 200 });
});

test('the roster takes a fixed number of statements for any number of rows', async () => {
  const list = () => stage.officer.get(`${ROSTER}?page_size=100`);
  const before = await countStatements(list);
  for (let n = 0; n < 5; n += 1) await bill(await someone(), 1_000, -n);
  expect(await countStatements(list)).toBe(before);
  expect(before).toBe(3);
  const named = () => stage.officer.get(`${ROSTER}?page_size=100&chapter=${stage.world.chapterId}`);
  expect((await named()).body.results).toEqual((await list()).body.results);
  expect(await countStatements(named)).toBe(1);
});

test('the balances of the rows add up to what the members of the chapter owe', async () => {
  const world: World = await aWorld({ members: 4 });
  const memberships = [...world.memberships, world.officer.membershipId];
  for (const [n, membershipId] of memberships.entries())
    await anInvoice(world, { chapterId: world.chapterId, membershipId, cents: 101 * (n + 1), dueIn: n - 2 });
  await anInvoice(world, { chapterId: world.chapterId, membershipId: null, cents: 99_999 });
  const { body } = await stage.as(world.officer).get(ROSTER);
  const sum = body.results.reduce((cents: number, row: { balance_cents: number }) => cents + row.balance_cents, 0);
  expect([body.count, sum]).toEqual([5, 101 * 15]);
});
