/** A history of money in one organization, in amounts that cannot be mistaken for others. */
import { guards as finances } from '../../models/database/schema/finances/guards.js';
import type { Client } from '../support/api.js';
import { asOwner } from '../support/owner.js';
import { paidByHand } from '../support/payments.js';
import { aMember, anInvoice, type World } from '../support/world.js';
import type { Ids } from './foreignIds.js';

const later = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

const paid = ({ organizationId }: World, invoiceId: string, amountCents: number) =>
  paidByHand(organizationId, invoiceId, amountCents);

const done = async (answer: Promise<{ status: number; body: { id: string } }>): Promise<string> => {
  const { status, body } = await answer;
  if (status >= 300) throw new Error(`${status}: ${JSON.stringify(body)}`);
  return body.id;
};

/**
 * Bills, payments, reductions, credit, requested and running installments, a remittance, and a requested refund, while officers see
 * no amounts. @returns ids of rows, by table
 */
export async function plantAmounts(world: World, as: (person: { token: string }) => Client): Promise<Ids> {
  const { chapterId, officer, member, organizationId } = world;
  const [admin, others] = [as(world.admin), await aMember(organizationId, chapterId)];
  const billed = (cents: number, dueIn = 14, membershipId: string | null = member.membershipId) =>
    anInvoice(world, { chapterId, membershipId, cents, dueIn });
  // One of each kind, in amounts that cannot be mistaken for others.
  const open = await billed(7_310_347);
  await paid(world, open, 1_203_511);
  const discount = { amount_cents: 1_310_709, category: 'hardship', reason: 'Lost the job', notes: 'Very private' };
  await done(admin.post(`/api/invoices/${open}/discounts/`, discount));
  await billed(4_410_983, -9);
  await paid(world, await billed(2_050_511), 3_160_517);
  // Typed texts contain amounts, too.
  const typedText = 'Of the 73,103.47 that were due';
  await done(admin.post(`/api/invoices/${open}/adjust/`, { kind: 'fee', amount_cents: 1_410_713, reason: typedText }));
  await done(
    admin.post(`/api/invoices/${open}/adjust/`, { kind: 'credit', amount_cents: 1_040_717, reason: typedText }),
  );
  const byHand = {
    amount_cents: 1_170_737,
    method: 'check',
    reference: typedText,
    received_on: later(-1),
    idempotency_key: open,
  };
  await done(admin.post(`/api/invoices/${open}/payments/`, byHand));
  const back = { amount_cents: 1_010_741, reason: typedText, reference: typedText };
  const [refund] = (await admin.post(`/api/invoices/${open}/refund/`, back)).body.refunds as [{ id: string }];
  const own = await billed(8_130_457, -3, null);
  await done(admin.post(`/api/invoices/${own}/adjust/`, { kind: 'fee', amount_cents: 1_020_731, reason: typedText }));
  await paid(world, await billed(9_270_461, 20, null), 2_020_219);
  const asks = (invoice: string) => ({
    invoice,
    justification: 'Between two jobs.',
    installment_count: 3,
    first_due_date: later(5),
    interval: 'monthly',
  });
  const request = await done(as(officer).post('/api/billing/plan-requests/', asks(await billed(5_190_487))));
  const granted = await done(as(officer).post('/api/billing/plan-requests/', asks(await billed(6_270_493))));
  await done(admin.post(`/api/hq/dues/${organizationId}/plan-requests/${granted}/review/`, { decision: 'approve' }));
  const [plan] = await asOwner<{ id: string }>('SELECT id FROM payment_plans WHERE request_id = $1', [granted]);
  const rowPath = `/api/hq/dues/${organizationId}/payment-plans/${plan?.id}/`;
  await done(admin.post(`${rowPath}installments/1/reconcile/`, { note: typedText }));
  await done(admin.post(`${rowPath}cancel/`, { reason: typedText }));
  const shares = [await billed(3_330_471, 3, others.membershipId), await billed(3_480_523, 3, others.membershipId)];
  const remittance = await done(
    as(officer).post('/api/billing/remittances/', {
      chapter: chapterId,
      allocations: shares.map((invoice) => ({ invoice })),
    }),
  );
  const planted = {
    chapter_invoices: open,
    payment_plan_requests: request,
    payment_plans: plan?.id as string,
    chapter_remittances: remittance,
    refunds: refund.id,
  };
  await asOwner(
    `INSERT INTO refund_requests (organization_id, invoice_id, amount_cents, reason, requested_by)
     SELECT $1, $2, 1103527, 'By mistake', $3`,
    [organizationId, open, officer.userId],
  );
  await plantTexts(organizationId);
  return planted;
}

/** A free text with an amount: readers without access to amounts must not find it. */
const TYPED = 'Very private: 73,103.47 were due';

/** Columns of typed text, by their names: a new column is planted automatically. */
const FREE_TEXT = '(reason|note|notes|justification|reference)$';

/**
 * Plants a text with an amount in every free-text column of every table of finances, where the table's checks allow it; codes
 * refuse it.
 */
async function plantTexts(organizationId: string): Promise<void> {
  const columns = await asOwner<{ table: string; column: string }>(
    `SELECT c.table_name AS table, c.column_name AS column FROM information_schema.columns c
      WHERE c.table_schema = 'public' AND c.table_name = ANY ($1) AND c.data_type = 'text' AND c.column_name ~ $2`,
    [Object.keys(finances), FREE_TEXT],
  );
  const reached: string[] = [];
  for (const { table, column } of columns) {
    await asOwner(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
    const planted = await asOwner(
      `UPDATE ${table} SET ${column} = $2 WHERE organization_id = $1 AND ${column} IS NOT NULL RETURNING 1`,
      [organizationId, TYPED],
    ).catch(() => []);
    await asOwner(`ALTER TABLE ${table} ENABLE TRIGGER USER`);
    if (planted.length > 0) reached.push(`${table}.${column}`);
  }
  expect(reached).toEqual(
    expect.arrayContaining([
      'chapter_account_credits.reason',
      'payment_plan_installments.note',
      'payment_plan_requests.justification',
      'payment_plans.cancel_reason',
      'payment_records.reference',
      'refund_requests.reason',
      'refunds.reason',
    ]),
  );
}
