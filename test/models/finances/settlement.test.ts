import '../../../models/wireAreas.js';
import { Client } from 'pg';
import { issueOpenInvoices } from '../../../development/seeding/large/openInvoices.js';
import { sequelize } from '../../../models/database/connection.js';
import { inTenant } from '../../../models/database/tenancy.js';
import { recordIntent } from '../../../models/finances/attempts/attempt.js';
import { issueCredit } from '../../../models/finances/credit/issueCredit.js';
import { beginPayment } from '../../../models/finances/remittances/beginPayment.js';
import { createRemittance } from '../../../models/finances/remittances/createRemittance.js';
import { settleRemittance } from '../../../models/finances/remittances/settleRemittance.js';
import { endMemberAccounts } from '../../../models/finances/terminal-settlements/endMemberAccounts.js';
import { during } from '../../support/during.js';
import { asOwner, closeOwner } from '../../support/owner.js';
import { countStatements } from '../../support/statements.js';
import { anInvoice, aWorld, type World } from '../../support/world.js';
import { aProcessor, aRemittance, ownerUrl } from './ledger.support.js';

const CENTS = 5_000;
let owner: Client;
let world: World;
let processorId: string;

beforeAll(async () => {
  owner = new Client({ connectionString: ownerUrl() });
  await owner.connect();
  world = await aWorld();
  processorId = await aProcessor(world.organizationId);
});
afterAll(async () => {
  await owner.end();
  await closeOwner();
  await sequelize.close();
});

/** Settles a captured charge for this many invoices. @returns the number of statements */
async function statementsToSettle(count: number): Promise<number> {
  const { organizationId, chapterId, officer } = world;
  const invoices = await issueOpenInvoices(owner, { organizationId, chapterId, count });
  const allocations = invoices.map((invoice) => ({ invoice, amount_cents: CENTS }));
  const remittanceId = await inTenant(organizationId, () => createRemittance(chapterId, allocations, officer.userId));
  const intentId = `pi_${remittanceId}`;
  await inTenant(organizationId, async () => {
    const { attemptId } = await beginPayment(remittanceId, 'pm_card_visa', officer.userId);
    await recordIntent(attemptId, intentId);
  });
  const charge = { remittanceId, processorId, intentId, amountCents: count * CENTS };
  const statements = await countStatements(() => inTenant(organizationId, () => settleRemittance(charge)));
  const paid = await asOwner('SELECT FROM chapter_invoices WHERE id = ANY ($1) AND status = $2', [invoices, 'paid']);
  expect(paid.length).toBe(count);
  return statements;
}

test('remittances of 25 and of 250 invoices settle with the same number of statements', async () => {
  const few = await statementsToSettle(25);
  expect(await statementsToSettle(250)).toBe(few);
  expect(few).toBeLessThan(20);
});

test('the invoice of a member who leaves with credit is paid by its pending charge, and the settlement waits', async () => {
  const { remittanceId, intentId, invoices } = await aRemittance(world, processorId, null);
  const [invoice] = invoices as [string];
  const [of] = await asOwner<{ id: string }>('SELECT membership_id AS id FROM chapter_invoices WHERE id = $1', [
    invoice,
  ]);
  const formerMember = { chapterId: world.chapterId, membershipId: of?.id as string };
  const inWorld = <T>(work: () => Promise<T>): Promise<T> => inTenant(world.organizationId, work);
  await inWorld(() => issueCredit({ payer: formerMember, amountCents: 4_000, reason: 'A gift' }));
  await inWorld(() => endMemberAccounts([formerMember.membershipId]));
  const charge = { remittanceId, processorId, intentId, amountCents: 30_000 };
  expect(await inWorld(() => settleRemittance(charge))).toBe('settled');
  const [after] = await asOwner(
    `SELECT i.status, i.credit_cents, s.status AS settlement FROM chapter_invoices i
       JOIN terminal_settlements s ON s.membership_id = i.membership_id WHERE i.id = $1`,
    [invoice],
  );
  expect(after).toEqual({ status: 'paid', credit_cents: 0, settlement: 'waiting' });
});

test('fees that are added at once without a lock on the invoice all count', async () => {
  const { organizationId, chapterId, member } = world;
  const invoice = await anInvoice(world, { chapterId, membershipId: member.membershipId, cents: CENTS });
  const fee = `INSERT INTO invoice_line_items (organization_id, invoice_id, description, unit_amount_cents, amount_cents)
               VALUES ($1, $2, 'Late', $3, $3)`;
  const add = (cents: number) => () => asOwner(fee, [organizationId, invoice, cents]);
  await during(fee, [organizationId, invoice, 100], [add(30), add(7)]);
  const [found] = await asOwner('SELECT total_cents, balance_due_cents FROM chapter_invoices WHERE id = $1', [invoice]);
  expect(found).toEqual({ total_cents: CENTS + 137, balance_due_cents: CENTS + 137 });
});

test('of two refunds that are reserved at once without a lock on the charge one is refused', async () => {
  const { invoices } = await aRemittance(world, processorId, 30_000);
  const values = [world.organizationId, invoices[0], world.admin.userId];
  const reserve = `INSERT INTO refunds (organization_id, invoice_id, payment_record_id, capture_id, amount_cents, status, reason, requested_by)
    SELECT p.organization_id, p.invoice_id, p.id, c.id, p.amount_cents, 'reserved', 'Test', $3 FROM payment_records p
      JOIN processor_captures c USING (organization_id, processor_id, intent_id)
     WHERE p.organization_id = $1 AND p.invoice_id = $2`;
  await expect(during(reserve, values, [() => asOwner(reserve, values)])).rejects.toMatchObject({
    constraint: 'refund_within_captured',
  });
});

/** Makes credit of a payment of 100.00, and refunds the same money. */
const ISSUE = `INSERT INTO chapter_account_credits (organization_id, chapter_id, payer_type, membership_id, kind, amount_cents, invoice_id, payment_record_id, reason)
  SELECT p.organization_id, i.chapter_id, i.payer_type, i.membership_id, 'issued', p.amount_cents, i.id, p.id, 'Test' FROM payment_records p
    JOIN chapter_invoices i ON i.organization_id = p.organization_id AND i.id = p.invoice_id WHERE p.organization_id = $1 AND p.invoice_id = $2`;
const REFUND = `UPDATE payment_records SET refunded_cents = amount_cents WHERE organization_id = $1 AND invoice_id = $2`;

test.each([
  ['becomes credit during its refund', REFUND, ISSUE],
  ['is refunded while it becomes credit', ISSUE, REFUND],
])('money that %s, without a lock on the invoice, does only one of both', async (_, first, second) => {
  const { invoices } = await aRemittance(world, processorId, 30_000);
  const values = [world.organizationId, invoices[0]];
  await expect(during(first, values, [() => asOwner(second, values)])).rejects.toMatchObject({
    constraint: 'credit_backed',
  });
});

test.each([
  ['becomes credit during its refund', true],
  ['is refunded while it becomes credit', false],
])('retained money that %s, without a lock on the charge, does only one of both', async (_, refundFirst) => {
  const { intentId } = await aRemittance(world, processorId, 30_000);
  const [capture] = await asOwner<{ id: string }>('SELECT id FROM processor_captures WHERE intent_id = $1', [intentId]);
  const [resolution] = await asOwner<{ id: string }>(
    `INSERT INTO capture_resolutions (organization_id, capture_id, resolution, status, chapter_id, amount_cents, note, requested_by, finished_at)
     VALUES ($1, $2, 'keep_as_credit', 'done', $3, 30000, 'Test', $4, now()) RETURNING id`,
    [world.organizationId, capture?.id, world.chapterId, world.admin.userId],
  );
  const issue = `INSERT INTO chapter_account_credits (organization_id, chapter_id, payer_type, kind, amount_cents, capture_resolution_id, reason)
    SELECT organization_id, chapter_id, 'chapter', 'issued', 30000, id, 'Test' FROM capture_resolutions WHERE id = $1`;
  const refund = `UPDATE processor_captures c SET refunded_cents = c.amount_cents FROM capture_resolutions r
     WHERE r.id = $1 AND c.organization_id = r.organization_id AND c.id = r.capture_id`;
  const [first, second] = refundFirst ? [refund, issue] : [issue, refund];
  await expect(during(first, [resolution?.id], [() => asOwner(second, [resolution?.id])])).rejects.toMatchObject({
    constraint: 'credit_backed',
  });
});
