import { closeOwner, asOwner, overOwner } from '../../support/owner.js';
import { sequelize } from '../../../models/database/connection.js';
import { checkLedger, checkLedgerOver, readInvariants } from '../../../models/finances/checkLedger.js';
import { checkTenantLedger } from '../../../models/finances/ledger-checks/checkTenantLedger.js';
import { inTenant } from '../../../models/database/tenancy.js';
import { seed } from '../../../development/seeding/seed.js';
import { aMember, anInvoice, aWorld } from '../../support/world.js';
import { aLedger, aProcessor, aRemittance, type Ledger, one, ownerUrl } from './ledger.support.js';

let ledger: Ledger;
const planted = new Set<string>();

/** The rows that break `invariant`, as text. One connection runs all invariants, because planning takes longer than running. */
const violationsOf = async (invariant: string): Promise<string[]> => {
  const { violations } = await overOwner(checkLedgerOver);
  return violations.filter((violation) => violation.invariant === invariant).map(({ row }) => JSON.stringify(row));
};

const OF_GIFTS = new Set(readInvariants(['models/foundation/invariants.sql']).map(({ name }) => name));

/** Breaks a rule despite constraints and triggers, and expects the check to name the row `id`. */
async function detect(invariant: string, id: string, plant: () => Promise<unknown>): Promise<void> {
  planted.add(invariant);
  expect(await violationsOf(invariant)).not.toContainEqual(expect.stringContaining(id));
  await plant();
  expect(await violationsOf(invariant)).toContainEqual(expect.stringContaining(id));
}

const member = async () => (await aMember(ledger.organizationId, ledger.chapterId)).membershipId;
const invoiceOf = (membershipId: string, cents: number) =>
  anInvoice(ledger, { chapterId: ledger.chapterId, membershipId, cents });
const invoice = (dueIn = 14) =>
  anInvoice(ledger, { chapterId: ledger.chapterId, membershipId: ledger.member.membershipId, dueIn });
const remittance = (capturedCents: number | null) => aRemittance(ledger, ledger.processorId, capturedCents);
const credit = (columns: string, values: unknown[]) => creditOf(ledger.member.membershipId, columns, values);
const creditOf = (membershipId: string, columns: string, values: unknown[]) =>
  one(
    `INSERT INTO chapter_account_credits (organization_id, chapter_id, payer_type, membership_id, reason, ${columns})
     VALUES ($1, $2, 'member', $3, 'Test', ${values.map((_, n) => `$${n + 4}`).join(', ')}) RETURNING id`,
    [ledger.organizationId, ledger.chapterId, membershipId, ...values],
  );
const payment = (invoiceId: string, cents: number, intentId: string | null = null) =>
  one(
    `INSERT INTO payment_records (organization_id, invoice_id, processor_id, processor_payment_id, intent_id, amount_cents, status, paid_at)
     VALUES ($1, $2, $3, 'key:' || uuidv7(), $4, $5, 'succeeded', now()) RETURNING id`,
    [ledger.organizationId, invoiceId, intentId && ledger.processorId, intentId, cents],
  );

/** An attempt to pay an invoice on a hosted page. */
async function page(ofInvoice?: string): Promise<{ invoiceId: string; attemptId: string }> {
  const invoiceId = ofInvoice ?? (await invoice());
  const attemptId = await one(
    `INSERT INTO payment_attempts (organization_id, invoice_id, processor_id, amount_cents, currency)
     VALUES ($1, $2, $3, 10000, 'usd') RETURNING id`,
    [ledger.organizationId, invoiceId, ledger.processorId],
  );
  return { invoiceId, attemptId };
}

afterAll(async () => {
  await closeOwner();
  await sequelize.close();
});

describe('a database without organizations', () => {
  test('the check passes on a database without organizations', async () => {
    expect(await checkLedger(ownerUrl())).toMatchObject({ organizations: 0, examined: 0, passed: true });
  });
});

describe('a database with a sound ledger', () => {
  beforeAll(() => asOwner("INSERT INTO organizations (name, slug) VALUES ('Empty', 'empty')"));

  test('the check fails while an organization exists and nothing could be examined', async () => {
    expect(await checkLedger(ownerUrl())).toMatchObject({ examined: 0, violations: [], passed: false });
  });

  test('the check passes with the seed and a ledger made by the operations, and counts what it examined', async () => {
    await seed(ownerUrl(), 'demo');
    ledger = await aLedger();
    const report = await checkLedger(ownerUrl());
    expect(report.violations).toEqual([]);
    expect(report.passed).toBe(true);
    expect(report.examined).toBeGreaterThan(1000);
  });

  test('the check fails for a role that sees no tenant and therefore no violation', async () => {
    const report = await checkLedger(process.env['DATABASE_URL'] as string);
    expect(report.organizations).toBeGreaterThan(0);
    expect(report).toMatchObject({ violations: [], passed: false });
  });
});

describe('planted violations', () => {
  beforeAll(async () => {
    await asOwner(`
      ALTER TABLE chapter_invoices DROP CONSTRAINT invoice_balance_not_negative;
      ALTER TABLE payment_records DROP CONSTRAINT payment_refund_within_amount;
      ALTER TABLE chapter_account_credits DISABLE TRIGGER USER;
      DROP TRIGGER invoices_money_within_total ON chapter_invoices;
      DROP INDEX invoices_recurring_payer_unique;`);
    const checks = await asOwner<{ name: string; relation: string }>(
      `SELECT conname AS name, conrelid::regclass::text AS relation FROM pg_constraint
        WHERE contype = 'c' AND conrelid IN ('chapter_invoices'::regclass, 'chapter_remittances'::regclass, 'payment_records'::regclass)`,
    );
    for (const { name, relation } of checks) await asOwner(`ALTER TABLE ${relation} DROP CONSTRAINT "${name}"`);
    await asOwner('ALTER TABLE chapter_account_credits DROP CONSTRAINT credits_reversed_once');
  });

  test('the check finds a payment that stayed on an invoice which was regenerated', async () => {
    const [old, replacement] = [await invoice(), await invoice()];
    await asOwner('UPDATE chapter_invoices SET voided_at = now() WHERE id = $1', [old]);
    await asOwner('UPDATE chapter_invoices SET is_recurring = true, replaces = $2 WHERE id = $1', [replacement, old]);
    const rule = 'reissued dues are void, and their payments are on the replacing invoice';
    await detect(rule, replacement, () => payment(old, 100));
  });

  test('the check finds a negative balance', async () => {
    const id = await invoice();
    await detect('the balance of an invoice is not negative', id, () =>
      asOwner('UPDATE chapter_invoices SET balance_due_cents = -1 WHERE id = $1', [id]),
    );
  });

  test('the check finds a paid amount that no payment explains', async () => {
    const id = await invoice();
    await detect("an invoice's amounts are the sums of its lines, discounts, credit and payments", id, () =>
      asOwner('UPDATE chapter_invoices SET paid_cents = 10, balance_due_cents = balance_due_cents - 10 WHERE id = $1', [
        id,
      ]),
    );
  });

  test('the check finds an invoice with the status paid and a balance', async () => {
    const id = await invoice();
    await detect("an invoice's status follows from its amounts and dates", id, () =>
      asOwner("UPDATE chapter_invoices SET status = 'paid' WHERE id = $1", [id]),
    );
  });

  test('the check finds a second recurring invoice of a payer and term', async () => {
    const ids = [await invoice(), await invoice()];
    await detect('a payer has at most one non-void recurring invoice per term', ledger.member.membershipId, () =>
      asOwner('UPDATE chapter_invoices SET is_recurring = true WHERE id = ANY($1)', [ids]),
    );
  });

  test('the check finds a dues run that lost an invoice', async () => {
    const id = await one(
      `INSERT INTO dues_runs (organization_id, term_id, due_date, preview_hash, status, completed_at)
       VALUES ($1, $2, current_date, 'hash', 'completed', now()) RETURNING id`,
      [ledger.organizationId, ledger.termId],
    );
    await detect('a completed dues run issued as many invoices as it counted', id, () =>
      asOwner('UPDATE dues_runs SET invoices_issued = 1, issued_cents = 100 WHERE id = $1', [id]),
    );
  });

  test('the check finds a refund larger than its payment', async () => {
    const id = await payment(await invoice(), 500);
    await detect('no payment is refunded by more than its amount', id, () =>
      asOwner('UPDATE payment_records SET refunded_cents = 501 WHERE id = $1', [id]),
    );
  });

  test('the check finds an overpayment that did not become credit', async () => {
    const id = await invoice();
    await detect("payments beyond an invoice's total, or on a void invoice, are its payer's credit", id, () =>
      payment(id, 10_001),
    );
  });

  test('the check finds a debt that was lost with a voided invoice', async () => {
    const [person, other] = [await member(), await member()];
    const [first, second] = [await invoiceOf(person, 1_000), await invoiceOf(person, 5_000)];
    const spent = await payment(first, 6_000);
    // A former defect: the surplus pays another invoice, the payment is refunded, and its own invoice is voided.
    for (const [kind, invoiceId, paymentId] of [
      ['issued', first, spent],
      ['applied', second, null],
    ]) {
      await creditOf(person, 'kind, amount_cents, invoice_id, payment_record_id', [kind, 5_000, invoiceId, paymentId]);
    }
    await asOwner('SELECT app.recompute_invoices($1)', [[first, second]]);
    await payment(await invoiceOf(other, 1_000), 400);
    await detect("a payer's account adds up", person, async () => {
      await asOwner('ALTER TABLE payment_records DISABLE TRIGGER payment_records_backing');
      await asOwner('UPDATE payment_records SET refunded_cents = amount_cents WHERE id = $1', [spent]);
      await asOwner('ALTER TABLE payment_records ENABLE TRIGGER payment_records_backing');
      await asOwner(
        "UPDATE chapter_invoices SET status = 'void', voided_at = now(), balance_due_cents = 0 WHERE id = $1",
        [first],
      );
    });
    const accounts = (await violationsOf("a payer's account adds up")).map((row) => JSON.parse(row));
    expect(accounts).not.toContainEqual(expect.objectContaining({ membership_id: other }));
    expect(accounts.find(({ membership_id }) => membership_id === person)).toMatchObject({
      billed_cents: 5_000,
      paid_cents: 6_000,
      refunded_cents: 6_000,
      due_cents: 0,
    });
  });

  test('the check finds a shortfall beside credit that could cover it', async () => {
    const id = await invoice();
    const { membershipId } = ledger.member;
    await detect('a payer with a credit shortfall has no credit left, spent or unspent', membershipId, async () =>
      credit('kind, amount_cents, payment_record_id, invoice_id', ['shortfall', 1, await payment(id, 500), id]),
    );
  });

  test('the check finds more credit from a payment than was paid', async () => {
    const invoiceId = await invoice();
    const id = await payment(invoiceId, 500);
    await detect('credit from a payment does not exceed what remains of the payment', id, () =>
      credit('kind, amount_cents, payment_record_id, invoice_id', ['issued', 501, id, invoiceId]),
    );
  });

  test('the check finds credit that moved out and reached no other membership', async () => {
    const person = await member();
    await detect(
      'moved credit reached another membership of the same person, in full and with the same source',
      person,
      () => creditOf(person, 'kind, amount_cents', ['moved_out', 1]),
    );
  });

  test('the check finds more credit of a payment moved out of a membership than it received', async () => {
    const person = await member();
    const invoiceId = await invoiceOf(person, 500);
    const id = await payment(invoiceId, 500);
    await detect("no membership used more of a payment's credit than it received", id, () =>
      creditOf(person, 'kind, amount_cents, payment_record_id, invoice_id', ['moved_out', 1, id, invoiceId]),
    );
  });

  test('the check finds credit that was spent twice', async () => {
    const { membershipId } = ledger.member;
    await detect(
      "a payer's credit is issued minus applied, refunded and recovered, and never negative",
      membershipId,
      () => credit('kind, amount_cents', ['refunded', 5_502]),
    );
  });

  test('the check finds a reversal of half an entry', async () => {
    await detect('a reversal undoes one whole entry of the same payer, once', ledger.creditId, () =>
      credit('kind, amount_cents, reverses', ['reversed', 2_500, ledger.creditId]),
    );
  });

  test('the check finds credit of one member on the invoice of another', async () => {
    const id = await anInvoice(ledger, { chapterId: ledger.chapterId, membershipId: ledger.memberships[1] as string });
    await detect('credit pays invoices of its own payer only', id, () =>
      credit('kind, amount_cents, invoice_id', ['applied', 100, id]),
    );
  });

  test('the check finds a total that is not the sum of the allocations', async () => {
    const { remittanceId } = await remittance(null);
    await detect("a remittance's total is the sum of its allocations", remittanceId, () =>
      asOwner('UPDATE chapter_remittances SET total_cents = total_cents + 1 WHERE id = $1', [remittanceId]),
    );
  });

  test('the check finds an allocation for an invoice of a chapter', async () => {
    const { remittanceId, invoices } = await remittance(null);
    await detect("an allocation is for a member invoice of the remittance's chapter", remittanceId, () =>
      asOwner("UPDATE chapter_invoices SET payer_type = 'chapter', membership_id = NULL WHERE id = $1", [invoices[0]]),
    );
  });

  test('the check finds an allocation of a settled remittance without a child payment', async () => {
    const { remittanceId } = await remittance(30_000);
    await detect(
      'every allocation of a settled remittance has its own child payment, and none of an unsettled remittance has one',
      remittanceId,
      () =>
        asOwner('UPDATE chapter_remittance_allocations SET payment_record_id = NULL WHERE remittance_id = $1', [
          remittanceId,
        ]),
    );
  });

  test('the check finds a child payment without an allocation', async () => {
    const { remittanceId } = await remittance(30_000);
    await detect('every child payment belongs to an allocation', remittanceId, () =>
      asOwner('DELETE FROM chapter_remittance_allocations WHERE remittance_id = $1', [remittanceId]),
    );
  });

  test('the check finds child payments that do not add up to the captured amount', async () => {
    const { remittanceId } = await remittance(30_000);
    await detect("child payments sum to their remittance's total and to the money captured for it", remittanceId, () =>
      asOwner('UPDATE processor_captures SET amount_cents = 29999 WHERE remittance_id = $1', [remittanceId]),
    );
  });

  test('the check finds two charges that both settle one remittance', async () => {
    const { remittanceId } = await remittance(30_000);
    await detect('a remittance is settled by one charge at most', remittanceId, () =>
      asOwner(
        `INSERT INTO processor_captures (organization_id, processor_id, intent_id, remittance_id, amount_cents, disposition)
         SELECT organization_id, processor_id, 'pi_second', remittance_id, amount_cents, 'recorded'
           FROM processor_captures WHERE remittance_id = $1`,
        [remittanceId],
      ),
    );
  });

  test('the check finds a flag with another amount than the uncredited money', async () => {
    const { remittanceId } = await remittance(29_000);
    await detect('a flag on a remittance has a reason and exactly the uncredited amount', remittanceId, () =>
      asOwner('UPDATE chapter_remittances SET reconciliation_amount_cents = 30000 WHERE id = $1', [remittanceId]),
    );
  });

  test('the check finds a capture that neither settled nor flagged its remittance', async () => {
    const { remittanceId, intentId } = await remittance(29_000);
    await detect('captured money is recorded, flagged or resolved', intentId, () =>
      asOwner("UPDATE processor_captures SET disposition = 'recorded' WHERE remittance_id = $1", [remittanceId]),
    );
  });

  test('the check finds a capture for an invoice without a payment', async () => {
    const id = await invoice();
    await detect('captured money is recorded, flagged or resolved', 'pi_for_an_invoice', () =>
      asOwner(
        `INSERT INTO processor_captures (organization_id, processor_id, intent_id, invoice_id, amount_cents, disposition)
         VALUES ($1, $2, 'pi_for_an_invoice', $3, 100, 'recorded')`,
        [ledger.organizationId, ledger.processorId, id],
      ),
    );
  });

  /** Unmatched money with a decision that was not carried out. */
  const aDecidedCapture = async (resolution: 'refund' | 'keep_as_credit') => {
    const captureId = await one(
      `INSERT INTO processor_captures (organization_id, processor_id, intent_id, amount_cents, disposition)
       VALUES ($1, $2, 'pi_stray_' || uuidv7(), 100, 'resolved') RETURNING id`,
      [ledger.organizationId, ledger.processorId],
    );
    await asOwner(
      `INSERT INTO capture_resolutions
         (organization_id, capture_id, resolution, amount_cents, status, chapter_id, note, requested_by, finished_at)
       VALUES ($1, $2, $3, 100, 'done', $4, 'Test', $5, now())`,
      [
        ledger.organizationId,
        captureId,
        resolution,
        resolution === 'refund' ? null : ledger.chapterId,
        ledger.admin.userId,
      ],
    );
  };

  test('the check finds retained money that is no credit', async () => {
    await detect('retained credit equals what remains of its unmatched payment', ledger.organizationId, () =>
      aDecidedCapture('keep_as_credit'),
    );
  });

  test('the check finds a completed refund of money that was not refunded', async () => {
    await detect(
      'completed refunds of an unmatched payment do not exceed the refunded amount of its charge',
      ledger.organizationId,
      () => aDecidedCapture('refund'),
    );
  });

  /** Inserts a refund of a payment that has no refunded amount. */
  const refundOf = (status: string, minutes: number) =>
    asOwner(
      `WITH paid AS (
         SELECT p.id, p.organization_id, p.invoice_id, c.id AS capture_id, p.amount_cents FROM payment_records p
           JOIN processor_captures c USING (organization_id, processor_id, intent_id)
          WHERE organization_id = $1 AND p.refunded_cents = 0 ORDER BY p.id LIMIT 1)
       INSERT INTO refunds (organization_id, invoice_id, payment_record_id, capture_id, amount_cents, status, reason, requested_by,
                            finished_at, created_at)
       SELECT organization_id, invoice_id, id, capture_id, amount_cents, $2, 'Test', $3,
              CASE $2 WHEN 'succeeded' THEN now() END, now() - $4 * interval '1 minute' FROM paid`,
      [ledger.organizationId, status, ledger.admin.userId, minutes],
    );

  test('the check finds a succeeded refund that is not deducted from its payment', async () => {
    await detect('a succeeded refund is deducted from its own payment', ledger.organizationId, () =>
      refundOf('succeeded', 0),
    );
  });

  test('the check finds money that is reserved for a refund but was refunded otherwise', async () => {
    await detect('amounts reserved for refunds are available', ledger.organizationId, async () => {
      await refundOf('reserved', 90);
      await asOwner(
        'UPDATE processor_captures SET refunded_cents = amount_cents WHERE id = (SELECT capture_id FROM refunds ORDER BY id DESC LIMIT 1)',
      );
    });
  });

  /** A stray capture and its last resolution. */
  const aTriedCapture = async (disposition: string, refunded: number, status: 'pending' | 'failed') => {
    const captureId = await one(
      `INSERT INTO processor_captures (organization_id, processor_id, intent_id, amount_cents, refunded_cents, disposition)
       VALUES ($1, $2, 'pi_stray_' || uuidv7(), 100, $3, $4) RETURNING id`,
      [ledger.organizationId, ledger.processorId, refunded, disposition],
    );
    await asOwner(
      `INSERT INTO capture_resolutions
         (organization_id, capture_id, resolution, amount_cents, status, failure_code, note, requested_by, finished_at)
       VALUES ($1, $2, 'refund', 100, $3, CASE $3 WHEN 'failed' THEN 'expired_card' END, 'Test', $4,
               CASE $3 WHEN 'failed' THEN now() END)`,
      [ledger.organizationId, captureId, status, ledger.admin.userId],
    );
    return captureId;
  };

  test('the check finds an unmatched payment that is resolved while its refund is pending', async () => {
    const id = await aTriedCapture('flagged', 100, 'pending');
    await detect('an unmatched payment is flagged exactly until all of it is decided', id, () =>
      asOwner(`UPDATE processor_captures SET disposition = 'resolved' WHERE id = $1`, [id]),
    );
  });

  test('the check finds an unmatched payment that is refunded after its refund failed', async () => {
    const id = await aTriedCapture('flagged', 0, 'failed');
    await detect(
      'after a failed refund only an answer of the provider changes the refunded amount of a charge',
      id,
      () => asOwner(`UPDATE processor_captures SET disposition = 'resolved', refunded_cents = 100 WHERE id = $1`, [id]),
    );
  });

  test('the check finds a refunded charge whose payment is not reduced', async () => {
    const id = await invoice();
    await payment(id, 100, 'pi_went_back');
    const capture = await one(
      `INSERT INTO processor_captures (organization_id, processor_id, intent_id, invoice_id, amount_cents, disposition)
       VALUES ($1, $2, 'pi_went_back', $3, 100, 'recorded') RETURNING id`,
      [ledger.organizationId, ledger.processorId, id],
    );
    await detect('the refunded amount of a charge is deducted from what it paid', capture, () =>
      asOwner('UPDATE processor_captures SET refunded_cents = 40 WHERE id = $1', [capture]),
    );
  });

  test('the check finds a refunded payment that is not divided into our refunds and those of others', async () => {
    const id = await payment(await invoice(), 100, `pi_${ledger.organizationId}_others`);
    await detect(
      "the refunded amount of a charge's payment splits into our refunds and those of others",
      id,
      async () => {
        await asOwner('UPDATE payment_records SET refunded_cents = 40 WHERE id = $1', [id]);
        await asOwner('UPDATE payment_records SET refunded_by_others_cents = 10 WHERE id = $1', [id]);
      },
    );
  });

  /** Inserts a plan of an invoice without the operations. */
  async function plan(of: string, rows: number[], status = 'active'): Promise<string> {
    const { membershipId } = ledger.member;
    const requestId = await one(
      `INSERT INTO payment_plan_requests (organization_id, invoice_id, chapter_id, membership_id, requested_by, justification, schedule,
         invoice_balance_cents, is_in_policy, policy_reasons, policy, status, closed_at)
       VALUES ($1, $2, $3, $4, $5, 'Test', '[]', 1, false, '[]', '{}', 'withdrawn', now()) RETURNING id`,
      [ledger.organizationId, of, ledger.chapterId, membershipId, ledger.member.userId],
    );
    const id = await one(
      `INSERT INTO payment_plans (organization_id, invoice_id, request_id, chapter_id, membership_id, total_cents, billed_cents,
         original_due_date, status, cancel_reason, ended_at)
       VALUES ($1, $2, $3, $4, $5, 10000, (SELECT total_cents - discount_cents FROM chapter_invoices WHERE id = $2), current_date, $6, CASE $6 WHEN 'cancelled' THEN 'Test' END, CASE $6 WHEN 'active' THEN NULL ELSE now() END)
       RETURNING id`,
      [ledger.organizationId, of, requestId, ledger.chapterId, membershipId, status],
    );
    for (const [n, cents] of rows.entries())
      await asOwner(
        `INSERT INTO payment_plan_installments (organization_id, plan_id, sequence, due_date, amount_cents)
         VALUES ($1, $2, $3, current_date + 30 * $3::int, $4)`,
        [ledger.organizationId, id, n + 1, cents],
      );
    return id;
  }

  test('the check finds a plan whose installments do not add up to its total', async () => {
    await detect('the installments of a plan add up to its total, with rising dates', ledger.organizationId, async () =>
      plan(await invoice(), [5_000, 4_000], 'cancelled'),
    );
  });

  test('the check finds a plan of an invoice without a balance', async () => {
    const of = await invoice();
    await plan(of, [5_000, 5_000]);
    await detect(
      'an invoice has at most one pending plan request and one active plan, and a balance for them',
      of,
      async () => {
        await asOwner('ALTER TABLE chapter_invoices DISABLE TRIGGER invoices_follow_plans');
        await asOwner('UPDATE chapter_invoices SET voided_at = now() WHERE id = $1', [of]);
      },
    );
  });

  test('the check finds an invoice with another due date than its plan', async () => {
    const of = await invoice();
    await plan(of, [5_000, 5_000]);
    await detect('an invoice with a plan is due with its first unmet installment', of, () =>
      asOwner('UPDATE chapter_invoices SET due_date = due_date - 1 WHERE id = $1', [of]),
    );
  });

  test('the check finds a dispute and a charge whose disputed amounts differ from the movements', async () => {
    const capture = await one(
      `INSERT INTO processor_captures (organization_id, processor_id, intent_id, amount_cents, disposition)
       VALUES ($1, $2, 'pi_held', 500, 'flagged') RETURNING id`,
      [ledger.organizationId, ledger.processorId],
    );
    const dispute = await one(
      `INSERT INTO payment_disputes (organization_id, capture_id, gateway_dispute_id, amount_cents, currency, reason, decision, read_at, opened_at)
       VALUES ($1, $2, 'dp_1', 500, 'usd', 'fraudulent', 'none', now(), now()) RETURNING id`,
      [ledger.organizationId, capture],
    );
    await detect('the withdrawn, reinstated and fee amounts of a dispute are the sums of its movements', dispute, () =>
      asOwner('UPDATE payment_disputes SET withdrawn_cents = 500 WHERE id = $1', [dispute]),
    );
    await detect(
      'the disputed amount of a charge is what its disputes withhold, limited by what was not refunded',
      capture,
      () => asOwner('UPDATE processor_captures SET withdrawn_cents = 500 WHERE id = $1', [capture]),
    );
  });

  test('the check finds a case of a charge that paid nothing', async () => {
    const { captureId } = (
      await asOwner<{ captureId: string }>(
        `INSERT INTO processor_captures (organization_id, processor_id, intent_id, amount_cents, refunded_cents, disposition)
       VALUES ($1, $2, 'pi_case', 500, 500, 'flagged') RETURNING id AS "captureId"`,
        [ledger.organizationId, ledger.processorId],
      )
    )[0] as { captureId: string };
    await detect('an open case is about a charge that paid several invoices, or that is disputed', captureId, () =>
      asOwner(
        `INSERT INTO money_cases (organization_id, processor_id, capture_id, kind, gateway_object, amount_cents)
         VALUES ($1, $2, $3, 'refund_unknown', 'pi_case', 500)`,
        [ledger.organizationId, ledger.processorId, captureId],
      ),
    );
  });

  test('the check finds a flagged charge without an open case and a case without its refund', async () => {
    const { remittanceId } = ledger.flagged;
    await detect('every flagged charge of a remittance has its case, and no other charge has one', remittanceId, () =>
      asOwner(
        "UPDATE money_cases SET status = 'closed', resolution = 'agreed', closed_at = now() WHERE remittance_id = $1",
        [remittanceId],
      ),
    );
    await detect('every case about a refund or credit has its object', 'no refund', () =>
      asOwner(
        `INSERT INTO money_cases (organization_id, processor_id, kind, gateway_object, amount_cents)
         VALUES ($1, $2, 'refund_bounced', 'no refund', 500)`,
        [ledger.organizationId, ledger.processorId],
      ),
    );
  });

  test('the check finds cases of differences without their charge', async () => {
    for (const kind of ['captured_not_recorded', 'recorded_not_captured', 'amount_differs', 'other'])
      await detect('every case about a difference has its charge', `${kind}_of_nothing`, () =>
        asOwner(
          `INSERT INTO money_cases (organization_id, processor_id, kind, gateway_object, amount_cents, recorded_cents, reported_cents, moved_at)
           VALUES ($1, $2, $3, $3 || '_of_nothing', 500, 0, 500, now())`,
          [ledger.organizationId, ledger.processorId, kind],
        ),
      );
  });

  test('the check finds a card payment without a capture', async () => {
    const id = await invoice();
    await detect('a payment through a processor has its capture', 'pi_never_seen', () =>
      payment(id, 100, 'pi_never_seen'),
    );
  });

  test('the check finds an attempt that succeeded without a capture', async () => {
    const { attemptId } = await remittance(null);
    await detect('an attempt that captured money has its capture', attemptId, () =>
      asOwner("UPDATE payment_attempts SET status = 'succeeded', finished_at = now() WHERE id = $1", [attemptId]),
    );
  });

  test('the check finds an invoice that stays reserved after its attempt has ended', async () => {
    const { attemptId } = await remittance(null);
    await detect(
      'only pending attempts reserve invoices, and each reserves all unpaid invoices of its remittance',
      attemptId,
      () => asOwner("UPDATE payment_attempts SET status = 'failed', finished_at = now() WHERE id = $1", [attemptId]),
    );
  });

  test('the check finds a charge whose outcome is unknown for more than a day', async () => {
    const { attemptId } = await remittance(null);
    await detect('the outcome of the charge of a remittance is known within a day', attemptId, () =>
      asOwner("UPDATE payment_attempts SET created_at = now() - interval '25 hours' WHERE id = $1", [attemptId]),
    );
  });

  test('the check finds a hosted page for more than is due', async () => {
    const { invoiceId } = await page();
    await detect(
      'the amount of a hosted page is the balance of its invoice, or the page is being closed',
      invoiceId,
      () => asOwner('UPDATE payment_attempts SET amount_cents = amount_cents + 1 WHERE invoice_id = $1', [invoiceId]),
    );
  });

  test('the check finds a second page that was opened before the first was closed', async () => {
    const { attemptId, invoiceId } = await page();
    await detect('an invoice has at most one open hosted page', invoiceId, async () => {
      await asOwner("UPDATE payment_attempts SET closing_since = now(), closing_reason = 'replaced' WHERE id = $1", [
        attemptId,
      ]);
      await page(invoiceId);
    });
  });

  test.each([
    ['a page without an outcome since it expired', "checkout_session_id = 'cs_1', checkout_expires_at"],
    ['a page that was not closed', "closing_reason = 'invoice_void', closing_since"],
    ['a page that may have been opened hours ago', 'created_at'],
  ])('the check finds %s', async (_, columns) => {
    const { attemptId } = await page();
    await detect('the outcome of a hosted page is known within an hour of its expiry or closing', attemptId, () =>
      asOwner(`UPDATE payment_attempts SET ${columns} = now() - interval '3 hours' WHERE id = $1`, [attemptId]),
    );
  });

  test('the check finds a page that may still be paid after its attempt ended', async () => {
    const { attemptId } = await page();
    const rule = 'the gateway confirms within an hour that no page of an ended attempt can be paid';
    await detect(rule, attemptId, () =>
      asOwner(
        `UPDATE payment_attempts SET status = 'failed', finished_at = now() - interval '1 day', checkout_keys = 2,
                checkout_asked_at = now() - interval '26 hours' WHERE id = $1`,
        [attemptId],
      ),
    );
  });

  test('the check finds an event that was never applied', async () => {
    const id = await one(
      `INSERT INTO webhook_events (organization_id, processor_id, event_id, type, payload)
       VALUES ($1, $2, 'evt_1', 'charge.refunded', '{}') RETURNING id`,
      [ledger.organizationId, ledger.processorId],
    );
    await detect('an event of a processor is applied within an hour', id, () =>
      asOwner("UPDATE webhook_events SET created_at = now() - interval '2 hours' WHERE id = $1", [id]),
    );
  });

  test('the check finds an outbox entry that never reached its workflow', async () => {
    const { attemptId } = await remittance(null);
    await detect('an outbox entry reaches its workflow within an hour', attemptId, () =>
      asOwner("UPDATE outbox SET created_at = now() - interval '2 hours' WHERE workflow_id LIKE '%' || $1", [
        attemptId,
      ]),
    );
  });

  test('the check finds a member whose name in the roster is wrong', async () => {
    const id = await member();
    await detect('the roster of a chapter lists each member once, under the name of the person', id, () =>
      asOwner("UPDATE roster_names SET name = 'Somebody Else' WHERE id = $1", [id]),
    );
  });

  test('the check finds a member without a handle', async () => {
    const id = await member();
    await asOwner('ALTER TABLE member_handles DISABLE TRIGGER USER');
    await detect('each member with access has a handle in the organization', id, () =>
      asOwner('DELETE FROM member_handles h USING memberships m WHERE m.id = $1 AND h.user_id = m.user_id', [id]),
    );
  });

  test('the check finds a membership whose history ends with another status', async () => {
    const id = await member();
    await asOwner('ALTER TABLE membership_periods DISABLE TRIGGER USER');
    await detect(
      'the history of a membership has no gap and no overlap, and ends with its present status and role',
      id,
      () => asOwner("UPDATE membership_periods SET status = 'inactive' WHERE membership_id = $1", [id]),
    );
  });

  test('the check finds a running term of a member without the role', async () => {
    const id = await member();
    await asOwner('ALTER TABLE officer_terms DISABLE TRIGGER USER');
    await detect('officers and presidents are exactly the members with a running term', id, () =>
      asOwner(
        `INSERT INTO officer_terms (organization_id, chapter_id, membership_id, position, title, starts_on)
         VALUES ($1, $2, $3, 'other', 'Officer', current_date)`,
        [ledger.organizationId, ledger.chapterId, id],
      ),
    );
  });

  /** A prospective member. @returns the ids of membership and profile */
  const prospect = async (): Promise<[string, string]> => {
    const { membershipId } = await aMember(ledger.organizationId, ledger.chapterId, 'member', 'pnm');
    return [membershipId, await one('SELECT id FROM pnm_profiles WHERE membership_id = $1', [membershipId])];
  };
  const stageOf = (id: string, stage: string) =>
    asOwner('UPDATE pnm_profiles SET stage = $2, crossed_at = now() WHERE id = $1', [id, stage]);

  test('the check finds a prospective member whose intake has ended', async () => {
    const [membership, id] = await prospect();
    const rule = 'every person in the intake is a prospective member, and every prospective member is in the intake';
    await detect(rule, membership, () => stageOf(id, 'rejected'));
  });

  test('the check finds a completed intake without a crossing', async () => {
    const [, id] = await prospect();
    const rule = 'the intake is completed for exactly those people whose crossing was not reverted';
    await detect(rule, id, () => stageOf(id, 'completed'));
  });

  test('the check finds a pending name for a person who may not get one', async () => {
    const [, profile] = await prospect();
    await stageOf(profile, 'approved');
    const id = await one(
      `INSERT INTO pnm_name_assignments (organization_id, chapter_id, profile_id, name, name_key, status, requested_by)
       VALUES ($1, $2, $3, 'Aurora', 'aurora', 'proposed', $4) RETURNING id`,
      [ledger.organizationId, ledger.chapterId, profile, ledger.officer.userId],
    );
    await detect('a name is pending only while its prospective member may get one', id, () =>
      stageOf(profile, 'not_started'),
    );
  });

  test('the check finds a pending prospective member in a closed period', async () => {
    const [, id] = await prospect();
    const period = await one(
      `INSERT INTO recruitment_periods (organization_id, term_id, name, opens_at, closes_at, status)
       VALUES ($1, $2, 'Over', '2020-01-01', '2020-02-01', 'closed') RETURNING id`,
      [ledger.organizationId, ledger.termId],
    );
    await detect('a settled closed recruitment period has no pending prospective members', id, () =>
      asOwner('UPDATE pnm_profiles SET recruitment_period_id = $2 WHERE id = $1', [id, period]),
    );
  });

  test('the check finds a submitted letter whose file was refused', async () => {
    const [, profile] = await prospect();
    const id = await one(
      `INSERT INTO stored_files (organization_id, purpose, status, scan, name, media_type, size_bytes, sha256, kept_at)
       VALUES ($1, 'pnm_letter', 'held', 'waiting', 'a.pdf', 'application/pdf', 1, repeat('0', 64), now()) RETURNING id`,
      [ledger.organizationId],
    );
    await asOwner(
      `INSERT INTO pnm_reference_letters (organization_id, profile_id, name, email, status, file_id, closed_at, expires_at)
       VALUES ($1, $2, 'Somebody', 'referee@example.org', 'submitted', $3, now(), now())`,
      [ledger.organizationId, profile, id],
    );
    await detect('no application or letter refers to a file that is being removed', id, () =>
      asOwner("UPDATE stored_files SET status = 'removing', scan = 'infected' WHERE id = $1", [id]),
    );
  });

  test('the check finds a bulk action that ended without an outcome of a claimed target', async () => {
    const { organizationId, admin } = ledger;
    const id = await one(
      `INSERT INTO process_bulk_actions (organization_id, action, reason, requested_by, audiences, targets_digest, preview_hash, targets_total)
       VALUES ($1, 'retry', 'Test', $2, '{organization}', 'x', 'x', 1) RETURNING id`,
      [organizationId, admin.userId],
    );
    await asOwner(
      `INSERT INTO process_bulk_action_targets (organization_id, bulk_action_id, sequence, workflow_id, claimed_at)
       VALUES ($1, $2, 1, 'overdue/x/2000-01-01', now())`,
      [organizationId, id],
    );
    const rule =
      'the totals of a bulk action on processes add up to its targets, and none is left open when it has ended';
    await detect(rule, id, () =>
      asOwner("UPDATE process_bulk_actions SET status = 'stopped', ended_at = now() WHERE id = $1", [id]),
    );
  });

  test('every invariant has a test that plants a violation', () => {
    expect([...planted].sort()).toEqual(
      readInvariants()
        // test/models/foundation plants violations of these rules.
        .filter(({ name }) => !OF_GIFTS.has(name))
        .map(({ name }) => name)
        .sort(),
    );
  });

  test('the runtime role finds the same violations of its own organization, named by an id', async () => {
    const own = await inTenant(ledger.organizationId, checkTenantLedger, { oneSnapshot: true });
    const { invariants } = await checkLedger(ownerUrl());
    const expected = invariants
      .filter(({ platform }) => !platform)
      .map(({ name, violations }) => [
        name,
        Math.min(20, violations.filter((row) => row['organization_id'] === ledger.organizationId).length),
      ]);
    expect(own.rules.map(({ name, violations }) => [name, violations.length])).toEqual(expected);
    for (const row of own.rules.flatMap(({ violations }) => violations)) {
      expect(row).toMatchObject({ organization_id: ledger.organizationId });
      expect(Object.keys(row).filter((column) => column.endsWith('_id')).length).toBeGreaterThan(1);
    }
  });

  test('a processor in another organization does not hide the violations', async () => {
    await aProcessor((await aWorld()).organizationId);
    expect((await checkLedger(ownerUrl())).passed).toBe(false);
  });
});
