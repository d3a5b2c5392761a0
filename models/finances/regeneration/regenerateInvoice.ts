/** Recurring dues issued anew: one transaction voids an invoice and makes the one that stands for it from now on. */
import { audit } from '../../database/audit.js';
import { editRow, holdRow, now } from '../../database/model/change.js';
import { currentOrganization, firstRow, oneRow, rows } from '../../database/rows.js';
import { found } from '../../errors.js';
import { notify } from '../../notifications/notify.js';
import { applyCredit } from '../credit/applyCredit.js';
import { issueCredit } from '../credit/issueCredit.js';
import { reverseApplied } from '../credit/reverseCredit.js';
import { financesErrors } from '../errors.js';
import { ChapterInvoice, type InvoiceStatus } from '../invoices/ChapterInvoice.js';
import { told } from '../notifications.js';
import { tellOfEndedWith } from '../payment-plans/endPlans.js';
import { type DuesLine, replacementLines } from './replacementLines.js';

const REASON = 'The invoice was issued anew.';
const REGENERABLE: readonly InvoiceStatus[] = ['open', 'overdue', 'partially_paid'];

/** What became of it, in cents. */
export interface Regenerated {
  /** The invoice that stands for the old one now. */
  replacementId: string;
  /** What had been paid beyond the new total, and became the payer's credit. */
  creditIssuedCents: number;
  /** Credit that pays the new invoice, as it paid the old one. */
  creditAppliedCents: number;
}

/**
 * Voids dues and makes one replacement of what its payer owes by members, statuses and rates as they are now. Payments and discounts
 * that count go along, with the credit and the refunds of those payments; so do fees. What is paid beyond the new total becomes credit,
 * the newest payment first; credit that was applied is applied again. A charge on its way for the old invoice pays the new one when it
 * comes; a share of a remittance that is on its way goes stale.
 * @throws Refusal not_found, invoice_not_regenerable, refund_in_progress, billing_mode_changed, nothing_to_issue
 */
export async function regenerateInvoice(invoiceId: string): Promise<Regenerated> {
  const invoice = found(await holdRow(ChapterInvoice, invoiceId));
  const { is_recurring, term_id, status } = invoice;
  if (!is_recurring || !term_id || !REGENERABLE.includes(status)) throw financesErrors.invoice_not_regenerable();
  await requireNoRefundUnderWay(invoiceId);
  // First: whoever it covers is not planned for while it stands.
  await editRow(invoice, { voided_at: now, void_reason: REASON });
  const lines = await replacementLines(invoice);
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
  await tellOfEndedWith(invoiceId);
  await notify(told.invoice_issued, [replacementId]);
  return { replacementId, creditIssuedCents, creditAppliedCents };
}

/** What is on its way back names the invoice; its outcome is known within minutes. @throws Refusal refund_in_progress */
async function requireNoRefundUnderWay(invoiceId: string): Promise<void> {
  const underWay = await firstRow(
    'SELECT FROM refunds WHERE organization_id = $1 AND invoice_id = $2 AND finished_at IS NULL',
    [currentOrganization(), invoiceId],
  );
  if (underWay) throw financesErrors.refund_in_progress();
}

/** Due when the old one was, and in a week at the earliest: nobody is overdue with what they have just been told of. */
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

/** What is paid beyond the total is credit; discounts make none. @returns its cents */
async function creditSurplus(replacementId: string, { chapter_id, membership_id }: ChapterInvoice): Promise<number> {
  const standing = await rows<{ id: string; cents: number; beyond: number }>(
    `SELECT p.id, p.cents, greatest(0, sum(p.cents) OVER () - i.total_cents)::bigint AS beyond
       FROM chapter_invoices i CROSS JOIN LATERAL (
         SELECT id, amount_cents - refunded_cents - app.credit_of_payment(organization_id, id) AS cents FROM payment_records
          WHERE organization_id = i.organization_id AND invoice_id = i.id AND status = 'succeeded') p
      WHERE i.organization_id = $1 AND i.id = $2 AND p.cents > 0 ORDER BY p.id DESC`,
    [currentOrganization(), replacementId],
  );
  const payer = { chapterId: chapter_id, membershipId: membership_id };
  const surplus = standing[0]?.beyond ?? 0;
  let left = surplus;
  for (const { id, cents } of standing) {
    const amountCents = Math.min(cents, left);
    if (amountCents === 0) break;
    left -= amountCents;
    const from = { paymentRecordId: id, invoiceId: replacementId };
    await issueCredit({
      payer,
      amountCents,
      reason: 'More was paid than the dues that were issued anew come to.',
      from,
    });
  }
  return surplus;
}
