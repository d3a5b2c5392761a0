/** Regeneration of recurring dues: amounts are computed again, and payments, discounts and fees move to the replacement. */
import { inTenant } from '../../../models/database/tenancy.js';
import { readInvariants } from '../../../models/finances/checkLedger.js';
import { recordInvoiceCharge } from '../../../models/finances/captures/recordInvoiceCharge.js';
import { applyCredit } from '../../../models/finances/credit/applyCredit.js';
import { issueCredit } from '../../../models/finances/credit/issueCredit.js';
import { uuidv7 } from '../../../models/database/uuid.js';
import { recordIntent } from '../../../models/finances/attempts/attempt.js';
import { refundCapture } from '../../../models/finances/captures/refundCapture.js';
import { reserveRefunds } from '../../../models/finances/refunds/reserveRefunds.js';
import { failRefund } from '../../../models/finances/refunds/settleRefunds.js';
import { beginPayment } from '../../../models/finances/remittances/beginPayment.js';
import { createRemittance } from '../../../models/finances/remittances/createRemittance.js';
import { settleRemittance } from '../../../models/finances/remittances/settleRemittance.js';
import { apiWorld, expectNowhere } from '../../support/apiWorld.js';
import { asOwner } from '../../support/owner.js';
import { aProcessor } from '../../support/platform.js';
import { aMember, anInvoice, aWorld, type World } from '../../support/world.js';
import { statuses } from '../organizations/statuses.support.js';

const stage = apiWorld();
const path = (world: World, id: string) => `/api/hq/dues/${world.organizationId}/invoices/${id}/regenerate/`;
const regenerate = (world: World, id: string, body: object = {}) => stage.as(world.admin).post(path(world, id), body);
const read = async (world: World, id: string) => (await stage.as(world.admin).get(`/api/invoices/${id}/`)).body;

const RULES = readInvariants().filter(({ examines }) =>
  /^(chapter_|payment_records|processor_captures|refunds)/.test(examines),
);
afterEach(async () => {
  for (const { name, query } of RULES) expect({ name, rows: await asOwner(query) }).toEqual({ name, rows: [] });
});

/** A world with the given rate for undergrads and one recurring dues invoice of the given payer. */
async function billed(cents = 10_000, payer: 'member' | 'chapter' = 'member') {
  const world = await aWorld({ members: 1 });
  const { organizationId, chapterId, member } = world;
  await rate(world, cents);
  const membershipId = payer === 'member' ? member.membershipId : null;
  if (!membershipId)
    await asOwner(
      `INSERT INTO org_dues_settings (organization_id, billing_mode) VALUES ($1, 'bill_chapter')
       ON CONFLICT (organization_id) DO UPDATE SET billing_mode = 'bill_chapter'`,
      [organizationId],
    );
  const id = await anInvoice(world, { chapterId, membershipId, cents: 10_000 });
  await asOwner('UPDATE chapter_invoices SET is_recurring = true WHERE id = $1', [id]);
  return { world, id, processorId: await aProcessor(world) };
}
const rate = ({ organizationId, termId }: World, cents: number, status = 'undergrad') =>
  asOwner(
    `INSERT INTO dues_rates (organization_id, term_id, status, amount_cents) VALUES ($1, $2, $3, $4)
     ON CONFLICT ON CONSTRAINT dues_rates_term_status_unique DO UPDATE SET amount_cents = excluded.amount_cents`,
    [organizationId, termId, status, cents],
  );
async function charge(world: World, processorId: string, invoiceId: string, amountCents: number): Promise<string> {
  const intentId = `pi_${uuidv7()}`;
  await inTenant(world.organizationId, () =>
    recordInvoiceCharge({ processorId, intentId, invoiceId, amountCents, currency: 'usd', attemptId: null }),
  );
  return intentId;
}
const payer = ({ chapterId, member }: World) => ({ chapterId, membershipId: member.membershipId });
const creditOf = async (world: World): Promise<number> => {
  const answer = await stage
    .as(world.admin)
    .get(
      `/api/hq/dues/${world.organizationId}/chapters/${world.chapterId}/credit/?member=${world.member.membershipId}`,
    );
  return answer.body.available_cents;
};

test('payments, discounts and fees move to the replacement, and the old invoice is void and names it', async () => {
  const { world, id, processorId } = await billed(12_000);
  const intent = await charge(world, processorId, id, 4_000);
  await stage.as(world.admin).post(`/api/invoices/${id}/adjust/`, { kind: 'fee', amount_cents: 500, reason: 'Late' });
  await stage
    .as(world.admin)
    .post(`/api/invoices/${id}/discounts/`, { amount_cents: 1_000, category: 'hardship', reason: 'Hardship' });
  const answer = await regenerate(world, id);
  expect([answer.status, answer.body]).toMatchObject([
    201,
    {
      status: 'partially_paid',
      replaces: id,
      replaced_by: null,
      is_recurring: true,
      total_cents: 12_500,
      discount_cents: 1_000,
      paid_cents: 4_000,
      balance_due_cents: 7_500,
      payments: [{ amount_cents: 4_000, processor_payment_id: intent }],
      discounts: [{ category: 'hardship' }],
      lines: expect.arrayContaining([
        expect.objectContaining({ description: 'Late', amount_cents: 500 }),
        expect.objectContaining({
          amount_cents: 12_000,
          description: expect.stringMatching(/^Dues, .* \(undergrad\)$/),
        }),
      ]),
    },
  ]);
  expect(await read(world, id)).toMatchObject({
    status: 'void',
    replaced_by: answer.body.id,
    balance_due_cents: 0,
    paid_cents: 0,
    payments: [],
    discounts: [],
  });
  const explained = (await stage.as(world.admin).get(`/api/invoices/${answer.body.id}/explain/`)).body;
  expect(explained.entries.map(({ cause }: { cause: { kind: string } }) => cause.kind).sort()).toEqual([
    'discount',
    'fee',
    'line',
    'payment',
  ]);
  expect(explained.entries.at(-1).running_balance_cents).toBe(7_500);
  expect(explained.entries[0].actor.id).toBe(world.admin.userId);
});

test('payments above the new total become credit once, and a discount never does', async () => {
  const { world, id, processorId } = await billed(6_000);
  await charge(world, processorId, id, 5_000);
  const second = await charge(world, processorId, id, 2_500);
  await stage
    .as(world.admin)
    .post(`/api/invoices/${id}/discounts/`, { amount_cents: 1_000, category: 'other', reason: 'Hardship' });
  const { body } = await regenerate(world, id);
  expect(body).toMatchObject({
    status: 'paid',
    total_cents: 6_000,
    paid_cents: 7_500,
    overpaid_cents: 1_500,
    balance_due_cents: 0,
  });
  expect(await creditOf(world)).toBe(1_500);
  // The newest payment backs the credit, so a refund of that payment revokes the credit.
  const [of] = await asOwner<{ intent_id: string }>(
    `SELECT p.intent_id FROM chapter_account_credits c JOIN payment_records p ON p.id = c.payment_record_id WHERE c.invoice_id = $1`,
    [body.id],
  );
  expect(of?.intent_id).toBe(second);
});

test('credit that paid the old invoice pays the replacement up to its total', async () => {
  const { world, id } = await billed(2_000);
  await inTenant(world.organizationId, async () => {
    await issueCredit({ payer: payer(world), amountCents: 9_000, reason: 'A gift' });
    await applyCredit(id, { upToCents: 5_000 });
  });
  expect(await creditOf(world)).toBe(4_000);
  const { body } = await regenerate(world, id);
  expect(body).toMatchObject({ status: 'paid', credit_cents: 2_000, balance_due_cents: 0 });
  expect(await creditOf(world)).toBe(7_000);
});

test('a preview changes nothing, and regeneration does exactly what was previewed', async () => {
  const { world, id, processorId } = await billed(6_000);
  await charge(world, processorId, id, 7_000);
  const before = await asOwner('SELECT to_jsonb(i) FROM chapter_invoices i WHERE organization_id = $1', [
    world.organizationId,
  ]);
  const preview = await regenerate(world, id, { dry_run: true });
  expect([preview.status, preview.body]).toMatchObject([
    200,
    {
      dry_run: true,
      credit_issued_cents: 1_000,
      replacement: { total_cents: 6_000, balance_due_cents: 0, status: 'paid' },
    },
  ]);
  expect(
    await asOwner('SELECT to_jsonb(i) FROM chapter_invoices i WHERE organization_id = $1', [world.organizationId]),
  ).toEqual(before);
  const { preview_hash } = preview.body;
  expect((await regenerate(world, id, { dry_run: true })).body.preview_hash).toBe(preview_hash);
  await rate(world, 6_500);
  expect((await regenerate(world, id, { preview_hash })).body).toMatchObject({ code: 'preview_stale' });
  expect(await read(world, id)).toMatchObject({ status: 'partially_paid' });
  const again = (await regenerate(world, id, { dry_run: true })).body;
  expect((await regenerate(world, id, { preview_hash: again.preview_hash })).body).toMatchObject(again.replacement);
});

test('a chapter is billed for its current members, except those with an invoice of their own', async () => {
  const { world, id } = await billed(3_000, 'chapter');
  await rate(world, 1_000, 'associate');
  await aMember(world.organizationId, world.chapterId, 'member', 'associate');
  await aMember(world.organizationId, world.chapterId, 'member', 'pnm');
  const own = await anInvoice(world, {
    chapterId: world.chapterId,
    membershipId: world.officer.membershipId,
    cents: 100,
  });
  await asOwner('UPDATE chapter_invoices SET is_recurring = true WHERE id = $1', [own]);
  const { body } = await regenerate(world, id);
  expect(
    body.lines.map(({ quantity, amount_cents }: { quantity: number; amount_cents: number }) => [
      quantity,
      amount_cents,
    ]),
  ).toEqual([
    [1, 1_000],
    [1, 3_000],
  ]);
});

test('only unpaid recurring dues of a payer with an unchanged billing mode can be regenerated', async () => {
  const { world, id, processorId } = await billed(5_000);
  const other = await anInvoice(world, { chapterId: world.chapterId, membershipId: world.member.membershipId });
  expect((await regenerate(world, other)).body).toMatchObject({ code: 'invoice_not_regenerable' });
  await asOwner('DELETE FROM dues_rates WHERE organization_id = $1', [world.organizationId]);
  expect((await regenerate(world, id)).body).toMatchObject({ code: 'nothing_to_issue' });
  await rate(world, 5_000);
  await asOwner(
    `INSERT INTO org_dues_settings (organization_id, billing_mode) VALUES ($1, 'bill_chapter')
     ON CONFLICT (organization_id) DO UPDATE SET billing_mode = 'bill_chapter'`,
    [world.organizationId],
  );
  expect((await regenerate(world, id)).body).toMatchObject({ code: 'billing_mode_changed' });
  await charge(world, processorId, id, 10_000);
  expect((await regenerate(world, id)).body).toMatchObject({ code: 'invoice_not_regenerable' });
  expect(await read(world, id)).toMatchObject({ status: 'paid', paid_cents: 10_000 });
});

test('an invoice with a pending refund cannot be regenerated, and a settled refund moves to the replacement', async () => {
  const { world, id, processorId } = await billed(5_000);
  await charge(world, processorId, id, 4_000);
  const origin = { userId: world.admin.userId, requestId: null, ipAddress: null };
  const wanted = { amount_cents: 1_000, waive: false, reason: 'Moved away' };
  const { refunds } = await inTenant(world.organizationId, () => reserveRefunds(id, wanted), { origin });
  expect((await regenerate(world, id)).body).toMatchObject({ code: 'refund_in_progress' });
  await inTenant(world.organizationId, () => failRefund(refunds[0] as string, 'refused'));
  const { body } = await regenerate(world, id);
  const listed = (await stage.as(world.admin).get(`/api/invoices/${body.id}/refunds/`)).body;
  expect(JSON.stringify(listed)).toContain(refunds[0]);
});

test('a pending allocation of the old invoice is flagged, and an officer allocates it to the replacement', async () => {
  const { world, id, processorId } = await billed(7_000);
  const { organizationId, chapterId, officer } = world;
  const intentId = `pi_${uuidv7()}`;
  const remittanceId = await inTenant(organizationId, async () => {
    const made = await createRemittance(chapterId, [{ invoice: id, amount_cents: 10_000 }], officer.userId);
    const { attemptId } = await beginPayment(made, 'pm_card_visa', officer.userId);
    await recordIntent(attemptId, intentId);
    return made;
  });
  const { body } = await regenerate(world, id);
  const charged = { remittanceId, processorId, intentId, amountCents: 10_000 };
  await inTenant(organizationId, () => settleRemittance(charged));
  expect(await read(world, body.id)).toMatchObject({ status: 'open', payments: [] });
  const other = await anInvoice(world, { chapterId, membershipId: world.member.membershipId, cents: 3_000 });
  const resolved = await stage.as(officer).post(`/api/billing/remittances/${remittanceId}/resolve/`, {
    allocations: [
      { invoice: body.id, amount_cents: 7_000 },
      { invoice: other, amount_cents: 3_000 },
    ],
    resolution_note: 'The dues were issued anew.',
  });
  expect(resolved.status).toBe(200);
  expect(await read(world, body.id)).toMatchObject({ status: 'paid', paid_cents: 7_000 });
});

test('a paid allocation moves to the replacement, where its refund is due again', async () => {
  const { world, id, processorId } = await billed(12_000);
  const { organizationId, chapterId, officer } = world;
  const intentId = `pi_${uuidv7()}`;
  await inTenant(organizationId, async () => {
    const made = await createRemittance(chapterId, [{ invoice: id, amount_cents: 9_000 }], officer.userId);
    const { attemptId } = await beginPayment(made, 'pm_card_visa', officer.userId);
    await recordIntent(attemptId, intentId);
    await settleRemittance({ remittanceId: made, processorId, intentId, amountCents: 9_000 });
  });
  const { body } = await regenerate(world, id);
  expect(body).toMatchObject({ status: 'partially_paid', paid_cents: 9_000, balance_due_cents: 3_000 });
  await inTenant(organizationId, () => refundCapture(processorId, intentId, 2_000));
  expect(await read(world, body.id)).toMatchObject({ paid_cents: 7_000, balance_due_cents: 5_000 });
});

test('ten concurrent regenerations make one replacement', async () => {
  const { world, id } = await billed(5_000);
  const answers = await Promise.all(Array.from({ length: 10 }, () => regenerate(world, id)));
  expect(statuses(answers)).toEqual([201, ...Array.from({ length: 9 }, () => 409)]);
  expect(await asOwner('SELECT id FROM chapter_invoices WHERE replaces = $1', [id])).toHaveLength(1);
});

test('a charge for the old invoice that arrives later pays the current replacement', async () => {
  const { world, id, processorId } = await billed(8_000);
  const first = (await regenerate(world, id)).body;
  const second = (await regenerate(world, first.id)).body;
  const intent = await charge(world, processorId, id, 8_500);
  expect(await read(world, second.id)).toMatchObject({
    status: 'paid',
    paid_cents: 8_500,
    overpaid_cents: 500,
    payments: [{ processor_payment_id: intent }],
  });
  expect(await creditOf(world)).toBe(500);
  expect(await read(world, id)).toMatchObject({ status: 'void', payments: [] });
});

test('a payment that races with the regeneration pays the replacement, and its surplus is credit', async () => {
  for (let n = 0; n < 6; n += 1) {
    const { world, id, processorId } = await billed(4_000);
    const [answer] = await Promise.all([regenerate(world, id), charge(world, processorId, id, 6_000)]);
    expect(answer.status).toBe(201);
    expect(await read(world, answer.body.id)).toMatchObject({ status: 'paid', total_cents: 4_000, paid_cents: 6_000 });
    expect(await creditOf(world)).toBe(2_000);
  }
});

test('only organization admins regenerate invoices, and another organization does not find them', async () => {
  const { world, other } = stage;
  const id = await anInvoice(world, { chapterId: world.chapterId, membershipId: world.member.membershipId });
  expect((await stage.nobody.post(path(world, id), {})).status).toBe(401);
  for (const person of [world.officer, world.regionalAdmin, world.member])
    expect((await stage.as(person).post(path(world, id), {})).status).toBe(403);
  await expectNowhere(id, (of) => stage.as(other.admin).post(path(other, of), {}));
  expect((await regenerate(world, id, { dry_run: 'yes' })).body).toMatchObject({
    errors: { dry_run: [expect.any(String)] },
  });
});
