import { randomUUID } from 'node:crypto';
import { inTenant } from '../../../models/database/tenancy.js';
import { applyCredit } from '../../../models/finances/credit/applyCredit.js';
import { asOwner } from '../../support/owner.js';
import { paidByHand } from '../../support/payments.js';
import { countStatements } from '../../support/statements.js';
import { aMember, anInvoice, type Person } from '../../support/world.js';
import { apiWorld } from '../../support/apiWorld.js';

const stage = apiWorld();
const INVOICES = '/api/billing/me/invoices/';
const LEDGER = '/api/billing/me/ledger/';
const BALANCE = '/api/billing/balance/';

const someone = (chapterId = stage.world.chapterId, role = 'member') =>
  aMember(stage.world.organizationId, chapterId, role);
const invoiceOf = ({ chapterId, membershipId }: Person, cents: number, dueIn = 14) =>
  anInvoice(stage.world, { chapterId, membershipId, cents, dueIn });
const inWorld = <T>(work: () => Promise<T>) => inTenant(stage.world.organizationId, work);
const pay = (invoiceId: string, amountCents: number) => paidByHand(stage.world.organizationId, invoiceId, amountCents);

/** A second membership of the same person. */
async function alsoIn(person: Person, chapterId: string): Promise<string> {
  const [row] = await asOwner<{ id: string }>(
    `INSERT INTO memberships (organization_id, user_id, chapter_id) VALUES ($1, $2, $3) RETURNING id`,
    [stage.world.organizationId, person.userId, chapterId],
  );
  return row?.id as string;
}

test('own billing data needs a signed-in person', async () => {
  for (const path of [INVOICES, LEDGER, BALANCE]) expect(await stage.nobody.get(path)).toMatchObject({ status: 401 });
});

test('a person lists only their own invoices, of all their memberships', async () => {
  const person = await someone();
  const second = await alsoIn(person, stage.world.otherChapterId);
  const ids = [
    await invoiceOf(person, 1_000, 5),
    await anInvoice(stage.world, {
      chapterId: stage.world.otherChapterId,
      membershipId: second,
      cents: 2_000,
      dueIn: 9,
    }),
  ];
  await invoiceOf(await someone(), 9_999);
  const { body } = await stage.as(person).get(`${INVOICES}?ordering=due_date`);
  expect(body).toMatchObject({ count: 2, results: ids.map((id) => ({ id })) });
  expect((await stage.as(person).get(`${INVOICES}?membership=${second}`)).body).toMatchObject({
    count: 1,
    results: [{ id: ids[1] }],
  });
  expect((await stage.as(person).get(`${INVOICES}?membership=${stage.world.member.membershipId}`)).body).toMatchObject({
    count: 0,
  });
  expect((await stage.as(person).get(`${INVOICES}?status=paid`)).body).toMatchObject({ count: 0 });
});

test('the ledger answers the balance and the entries that lead to it', async () => {
  const person = await someone();
  const [first, second] = [await invoiceOf(person, 1_000), await invoiceOf(person, 3_000)];
  await pay(first, 1_500);
  await inWorld(() => applyCredit(second));
  const { body } = await stage.as(person).get(LEDGER);
  expect(body).toMatchObject({
    membership: person.membershipId,
    chapter_name: 'Alpha',
    balance_due_cents: 2_500,
    available_credit_cents: 0,
    count: 5,
  });
  const entries = body.results.map(({ kind, amount_cents, credit_cents }: Record<string, unknown>) => [
    kind,
    amount_cents,
    credit_cents,
  ]);
  expect(entries.toReversed()).toEqual([
    ['invoice', 1_000, 0],
    ['invoice', 3_000, 0],
    ['payment', -1_500, 0],
    ['credit_issued', 500, 500],
    ['credit_applied', -500, -500],
  ]);
  expect((await stage.as(person).get(`${LEDGER}?page_size=2&page=3`)).body).toMatchObject({
    results: [{ kind: 'invoice' }],
    next: null,
  });
  expect(await stage.as(person).get(`${LEDGER}?page=9`)).toMatchObject({
    status: 404,
    body: { code: 'page_not_found' },
  });
});

test('a person with several memberships must name one of their own', async () => {
  const person = await someone();
  const second = await alsoIn(person, stage.world.otherChapterId);
  expect(await stage.as(person).get(LEDGER)).toMatchObject({
    status: 400,
    body: { errors: { membership: [expect.any(String)] } },
  });
  expect(await stage.as(person).get(`${LEDGER}?membership=${second}`)).toMatchObject({
    status: 200,
    body: { membership: second },
  });
  for (const id of [stage.world.member.membershipId, stage.other.member.membershipId, randomUUID()]) {
    expect(await stage.as(person).get(`${LEDGER}?membership=${id}`)).toMatchObject({ status: 404 });
  }
  expect(await stage.as(person).get(`${LEDGER}?membership=mine`)).toMatchObject({
    status: 400,
    body: { errors: { membership: [expect.any(String)] } },
  });
});

test("the balance shows the member's debts and those of the chapter separately", async () => {
  const [chapter] = await asOwner<{ id: string }>(
    `INSERT INTO chapters (organization_id, name) VALUES ($1, 'Gamma') RETURNING id`,
    [stage.world.organizationId],
  );
  const treasurer = await someone(chapter?.id, 'officer');
  const member = await someone(chapter?.id);
  await invoiceOf(treasurer, 1_000);
  await invoiceOf(member, 2_000);
  await anInvoice(stage.world, { chapterId: chapter?.id as string, membershipId: null, cents: 50_000 });
  expect((await stage.as(treasurer).get(BALANCE)).body).toEqual({
    currency: 'usd',
    total_balance_cents: 51_000,
    member_balance_cents: 1_000,
    chapter_balance_cents: 50_000,
    available_credit_cents: 0,
  });
  expect((await stage.as(member).get(BALANCE)).body).toMatchObject({
    total_balance_cents: 2_000,
    member_balance_cents: 2_000,
    chapter_balance_cents: 0,
  });

  await asOwner('UPDATE org_dues_settings SET officers_see_amounts = false WHERE organization_id = $1', [
    stage.world.organizationId,
  ]);
  expect((await stage.as(treasurer).get(BALANCE)).body).toMatchObject({
    total_balance_cents: null,
    chapter_balance_cents: null,
    member_balance_cents: 1_000,
  });
  expect((await stage.as(member).get(BALANCE)).body).toMatchObject({ total_balance_cents: 2_000 });
});

test('invoices, ledger and balance take one statement each inside the transaction', async () => {
  for (const path of [INVOICES, LEDGER, BALANCE]) expect(await countStatements(() => stage.member.get(path))).toBe(3);
});
