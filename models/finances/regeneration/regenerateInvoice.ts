/** Reissues recurring dues: one transaction voids an invoice and creates its replacement. */
import { audit } from '../../database/audit.js';
import { editRow, lockExclusive, now } from '../../database/model/change.js';
import { currentOrganization, oneRow, rows } from '../../database/rows.js';
import { requireFound } from '../../errors.js';
import { notify } from '../../notifications/notify.js';
import { applyCredit } from '../credit/applyCredit.js';
import { issueCredit } from '../credit/issueCredit.js';
import { reverseApplied } from '../credit/reverseCredit.js';
import { requireNotBeingRefunded, requireRegenerable } from '../invoices/changeable.js';
import { ChapterInvoice } from '../invoices/ChapterInvoice.js';
import { notifications } from '../notifications.js';
import { notifyPlanEndedWithInvoice } from '../payment-plans/endPlans.js';
import { isBeingRefundedSql } from '../refunds/refundableSql.js';
import { type DuesLine, planReplacementLines } from './replacementLines.js';

const REASON = 'The invoice was reissued.';

/** The result of a reissue, in cents. */
export interface RegenerationResult {
  /** The invoice that replaces the old one. */
  replacementId: string;
  /** Amount paid beyond the new total, which became the payer's credit. */
  creditIssuedCents: number;
  /** Credit that was applied to the old invoice and is now applied to the new one. */
  creditAppliedCents: number;
}

/**
 * Voids a dues invoice and creates a replacement from the present members, statuses and rates. Fees, discounts in
 * force, and payments with their credit and refunds move to the replacement. Payments beyond the new total become
 * credit, starting with the newest; credit that was applied to the old invoice is applied to the new one. A pending
 * charge of the old invoice will pay the new one; the allocation of a pending remittance becomes stale.
 * @throws Refusal not_found, invoice_not_regenerable, refund_in_progress, billing_mode_changed, nothing_to_issue
 */
export async function regenerateInvoice(invoiceId: string): Promise<RegenerationResult> {
  const invoice = requireFound(await lockExclusive(ChapterInvoice, invoiceId));
  const { is_recurring, term_id, status } = invoice;
  requireRegenerable({ is_recurring, term: term_id, status });
  await requireNoPendingRefund(invoiceId);
  // Void the old invoice first, because the plan skips members whom a non-void invoice covers.
  await editRow(invoice, { voided_at: now, void_reason: REASON });
  const lines = await planReplacementLines(invoice);
  const returnedCents = await reverseApplied(invoiceId, REASON);
  const replacementId = await issueReplacement(invoiceId, lines);
  await rows('SELECT app.move_to_replacement($1)', [replacementId]);
  const creditIssuedCents = await creditSurplus(replacementId, invoice);
  const creditAppliedCents =
    returnedCents > 0 ? await applyCredit(replacementId, { upToCents: returnedCents, reason: REASON }) : 0;
  await audit({
    action: 'invoice.voided',
    subjectType: 'invoice',
    subjectId: invoiceId,
    before: { status },
    after: { status: 'void', reason: REASON, replaced_by: replacementId },
  });
  await audit({
    action: 'invoice.regenerated',
    subjectType: 'invoice',
    subjectId: replacementId,
    after: { replaces: invoiceId, credit_issued_cents: creditIssuedCents, credit_applied_cents: creditAppliedCents },
  });
  await notifyPlanEndedWithInvoice(invoiceId);
  await notify(notifications.invoice_issued, [replacementId]);
  return { replacementId, creditIssuedCents, creditAppliedCents };
}

/** @throws Refusal refund_in_progress */
async function requireNoPendingRefund(invoiceId: string): Promise<void> {
  const { is_being_refunded } = await oneRow<{ is_being_refunded: boolean }>(
    `SELECT ${isBeingRefundedSql('$1', '$2')} AS is_being_refunded`,
    [currentOrganization(), invoiceId],
  );
  requireNotBeingRefunded(is_being_refunded);
}

/**
 * Issues the replacement with the old due date, but due at least a week from now, so that it is not overdue when the
 * payer is notified.
 */
async function issueReplacement(invoiceId: string, lines: readonly DuesLine[]): Promise<string> {
  const { id } = await oneRow<{ id: string }>(
    `WITH issued AS (
       INSERT INTO chapter_invoices (organization_id, chapter_id, term_id, payer_type, membership_id, payer_name, is_recurring,
                                     description, currency, issue_date, due_date, replaces)
       SELECT i.organization_id, i.chapter_id, i.term_id, i.payer_type, i.membership_id, i.payer_name, true, 'Dues, ' || t.name,
              i.currency, app.local_day(o.timezone), greatest(i.due_date, app.local_day(o.timezone) + 7), i.id
         FROM chapter_invoices i JOIN organizations o ON o.id = i.organization_id
         JOIN terms t ON t.organization_id = i.organization_id AND t.id = i.term_id
        WHERE i.organization_id = $1 AND i.id = $2
       RETURNING id, membership_id, description),
     lines AS (
       INSERT INTO invoice_line_items
         (organization_id, invoice_id, membership_id, description, quantity, unit_amount_cents, amount_cents, is_fee, created_at)
       SELECT $1, issued.id, issued.membership_id, issued.description || ' (' || replace(d.status, '_', ' ') || ')', d.quantity,
              d.unit_amount_cents, d.quantity * d.unit_amount_cents, false, now()
         FROM issued CROSS JOIN jsonb_to_recordset($3) AS d (status text, quantity int, unit_amount_cents bigint)
       UNION ALL
       SELECT $1, issued.id, f.membership_id, f.description, f.quantity, f.unit_amount_cents, f.amount_cents, true, f.created_at
         FROM issued JOIN invoice_line_items f ON f.organization_id = $1 AND f.invoice_id = $2 AND f.is_fee)
     SELECT id FROM issued`,
    [currentOrganization(), invoiceId, JSON.stringify(lines)],
  );
  return id;
}

/**
 * Turns payments beyond the replacement's total into credit. Discounts never become credit.
 * @returns the cents that became credit
 */
async function creditSurplus(replacementId: string, { chapter_id, membership_id }: ChapterInvoice): Promise<number> {
  const payments = await rows<{ id: string; cents: number; beyond: number }>(
    `SELECT p.id, p.cents, greatest(0, sum(p.cents) OVER () - i.total_cents)::bigint AS beyond
       FROM chapter_invoices i CROSS JOIN LATERAL (
         SELECT id, amount_cents - refunded_cents - app.credit_of_payment(organization_id, id) AS cents FROM payment_records
          WHERE organization_id = i.organization_id AND invoice_id = i.id AND status = 'succeeded') p
      WHERE i.organization_id = $1 AND i.id = $2 AND p.cents > 0 ORDER BY p.id DESC`,
    [currentOrganization(), replacementId],
  );
  const payer = { chapterId: chapter_id, membershipId: membership_id };
  const surplus = payments[0]?.beyond ?? 0;
  let remaining = surplus;
  for (const { id, cents } of payments) {
    const amountCents = Math.min(cents, remaining);
    if (amountCents === 0) break;
    remaining -= amountCents;
    const from = { paymentRecordId: id, invoiceId: replacementId };
    await issueCredit({
      payer,
      amountCents,
      reason: 'The payments exceeded the reissued dues.',
      from,
    });
  }
  return surplus;
}
