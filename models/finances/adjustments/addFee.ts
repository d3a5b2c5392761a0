import { audit } from '../../database/audit.js';
import { currentOrganization, oneRow } from '../../database/rows.js';
import { lockLiveInvoice, notifyPayer } from './invoiceToChange.js';

/**
 * Adds a fee line to an invoice, in cents. A paid invoice becomes due again in a week at the earliest.
 * @throws Refusal not_found, invoice_void
 */
export async function addFee(invoiceId: string, amountCents: number, reason: string): Promise<void> {
  const { membership_id } = await lockLiveInvoice(invoiceId);
  const { id } = await oneRow<{ id: string }>(
    `INSERT INTO invoice_line_items (organization_id, invoice_id, membership_id, description, unit_amount_cents, amount_cents, is_fee)
     VALUES ($1, $2, $3, $4, $5, $5, true) RETURNING id`,
    [currentOrganization(), invoiceId, membership_id, reason, amountCents],
  );
  await audit({
    action: 'invoice.fee_added',
    subjectType: 'invoice',
    subjectId: invoiceId,
    after: { line_id: id, amount_cents: amountCents, reason },
  });
  await notifyPayer(invoiceId, id);
}
