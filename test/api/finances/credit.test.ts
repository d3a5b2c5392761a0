import { randomUUID } from 'node:crypto';
import { inTenant } from '../../../models/database/tenancy.js';
import { applyCredit } from '../../../models/finances/credit/applyCredit.js';
import { issueCredit } from '../../../models/finances/credit/issueCredit.js';
import { reverseCredit } from '../../../models/finances/credit/reverseCredit.js';
import { recordPayment } from '../../../models/finances/recordPayment.js';
import { recordRefund } from '../../../models/finances/recordRefund.js';
import { settleMemberDebts } from '../../../models/finances/settleMemberDebts.js';
import { asOwner } from '../../support/owner.js';
import { countStatements } from '../../support/statements.js';
import { aMember, anInvoice, type Person } from '../../support/world.js';
import { apiWorld, expectNowhere } from '../../support/apiWorld.js';

const stage = apiWorld();
const path = (member?: string, chapter = stage.world.chapterId, organization = stage.world.organizationId) =>
  `/api/hq/dues/${organization}/chapters/${chapter}/credit/${member ? `?member=${member}` : ''}`;

const inWorld = <T>(work: () => Promise<T>) => inTenant(stage.world.organizationId, work);
const someone = () => aMember(stage.world.organizationId, stage.world.chapterId);
const payer = (membershipId: string | null) => ({ chapterId: stage.world.chapterId, membershipId });
const issue = (membershipId: string | null, amountCents: number) =>
  inWorld(() => issueCredit({ payer: payer(membershipId), amountCents, reason: 'A gift' }));
const invoiceOf = ({ chapterId, membershipId }: Person, cents: number, dueIn = 14) =>
  anInvoice(stage.world, { chapterId, membershipId, cents, dueIn });
const pay = (invoiceId: string, amountCents: number, intentId = `pi_${randomUUID()}`) =>
  inWorld(() => recordPayment({ invoiceId, amountCents, processorId: null, intentId, processorPaymentId: intentId }));
const available = async (membershipId: string) => (await stage.admin.get(path(membershipId))).body.available_cents;
const invoice = async (id: string) => (await stage.admin.get(`/api/invoices/${id}/`)).body;

test('credit is read by signed-in organization admins and by the admin of the chapter’s region', async () => {
  expect(await stage.nobody.get(path())).toMatchObject({ status: 401 });
  expect(await stage.officer.get(path())).toMatchObject({ status: 403 });
  expect(await stage.as(stage.world.regionalAdmin).get(path())).toMatchObject({ status: 200 });
  expect(await stage.as(stage.world.regionalAdmin).get(path(undefined, stage.world.otherChapterId))).toMatchObject({
    status: 403,
  });
});

test("another organization's chapters and members are not found", async () => {
  const { other } = stage;
  await expectNowhere(other.organizationId, (id) => stage.admin.get(path(undefined, stage.world.chapterId, id)));
  await expectNowhere(other.chapterId, (id) => stage.admin.get(path(undefined, id)));
  for (const id of [other.member.membershipId, stage.world.otherOfficer.membershipId, randomUUID()]) {
    expect(await stage.admin.get(path(id))).toMatchObject({ status: 404 });
  }
  expect(await stage.admin.get(path('me'))).toMatchObject({
    status: 400,
    body: { errors: { member: [expect.any(String)] } },
  });
});

test("a member's credit and the credit of the chapter are separate", async () => {
  const person = await someone();
  await issue(person.membershipId, 1_000);
  await issue(null, 70_000);
  expect((await stage.admin.get(path(person.membershipId))).body).toMatchObject({
    chapter: stage.world.chapterId,
    member: person.membershipId,
    available_cents: 1_000,
    count: 1,
    results: [{ kind: 'issued', amount_cents: 1_000, effect_cents: 1_000, reason: 'A gift' }],
  });
  expect((await stage.admin.get(path())).body).toMatchObject({ member: null, available_cents: 70_000 });
  const id = await invoiceOf(person, 5_000);
  expect(await inWorld(() => applyCredit(id))).toBe(1_000);
  expect((await stage.admin.get(path())).body.available_cents).toBe(70_000);
});

test('credit pays no more than the invoice needs and the payer has, also for two invoices at once', async () => {
  const person = await someone();
  await issue(person.membershipId, 1_000);
  const [a, b] = [await invoiceOf(person, 800), await invoiceOf(person, 800)];
  const applied = await Promise.all([inWorld(() => applyCredit(a)), inWorld(() => applyCredit(b))]);
  expect(applied.toSorted((x, y) => x - y)).toEqual([200, 800]);
  expect(await available(person.membershipId)).toBe(0);
  expect(await inWorld(() => applyCredit(a))).toBe(0);
});

test('a reversal returns the applied credit to the payer and cannot be repeated', async () => {
  const person = await someone();
  await issue(person.membershipId, 1_000);
  const id = await invoiceOf(person, 600);
  await inWorld(() => applyCredit(id));
  const entry = (await stage.admin.get(path(person.membershipId))).body.results[0];
  await inWorld(() => reverseCredit(entry.id, 'A mistake'));
  expect(await available(person.membershipId)).toBe(1_000);
  expect(await invoice(id)).toMatchObject({ status: 'open', balance_due_cents: 600, credit_cents: 0 });
  await expect(inWorld(() => reverseCredit(entry.id, 'Again'))).rejects.toThrow(/credits_reversed_once/);
});

test('a payment above the balance becomes credit, a discount above it does not', async () => {
  const person = await someone();
  const id = await invoiceOf(person, 1_000);
  await pay(id, 800);
  await asOwner(
    `INSERT INTO invoice_discounts (organization_id, invoice_id, amount_cents, reason) VALUES ($1, $2, 700, 'Hardship')`,
    [stage.world.organizationId, id],
  );
  expect(await invoice(id)).toMatchObject({ status: 'paid', balance_due_cents: 0 });
  expect(await available(person.membershipId)).toBe(0);
  await pay(id, 50);
  expect(await available(person.membershipId)).toBe(50);
});

test('a payment for a void invoice becomes credit in full', async () => {
  const person = await someone();
  const id = await invoiceOf(person, 1_000);
  await stage.admin.post(`/api/invoices/${id}/void/`, { reason: 'Billed by mistake' });
  await pay(id, 1_000);
  expect(await available(person.membershipId)).toBe(1_000);
  expect(await invoice(id)).toMatchObject({ status: 'void', balance_due_cents: 0 });
});

test('a refund first takes the unspent credit, then what the credit paid is due again', async () => {
  const person = await someone();
  const [first, second] = [await invoiceOf(person, 1_000), await invoiceOf(person, 300)];
  const intent = `pi_${randomUUID()}`;
  await pay(first, 1_500, intent);
  await inWorld(() => applyCredit(second));
  expect(await available(person.membershipId)).toBe(200);

  for (const refundedCents of [200, 100, 200]) await inWorld(() => recordRefund({ intentId: intent, refundedCents }));
  expect(await available(person.membershipId)).toBe(0);
  expect(await invoice(first)).toMatchObject({ status: 'paid', balance_due_cents: 0 });

  await inWorld(() => recordRefund({ intentId: intent, refundedCents: 99_999 }));
  expect(await invoice(first)).toMatchObject({ balance_due_cents: 1_000, paid_cents: 0, overpaid_cents: 0 });
  expect(await invoice(second)).toMatchObject({ status: 'open', balance_due_cents: 300 });
});

test('the credit of a member who leaves pays the oldest debt first', async () => {
  const person = await someone();
  const later = await invoiceOf(person, 500, 20);
  const sooner = await invoiceOf(person, 800, 10);
  await issue(person.membershipId, 1_000);
  await issue(null, 9_000);
  expect(await inWorld(() => settleMemberDebts([person.membershipId]))).toBe(1_000);
  expect(await invoice(sooner)).toMatchObject({ status: 'paid' });
  expect(await invoice(later)).toMatchObject({ status: 'partially_paid', balance_due_cents: 300 });
  expect(await inWorld(() => settleMemberDebts([person.membershipId]))).toBe(0);
});

test('the credit history takes the same number of statements for any number of entries', async () => {
  const person = await someone();
  for (let n = 0; n < 5; n += 1) await issue(person.membershipId, 100);
  expect(await countStatements(() => stage.admin.get(path(person.membershipId)))).toBe(4);
});
