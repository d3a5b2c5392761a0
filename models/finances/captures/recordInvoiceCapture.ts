import { currentOrganization, rows } from '../../database/rows.js';
import { concludeAttempt } from '../attempts/concludeAttempt.js';

/** Notes that a processor took money for one invoice, once however often it says so. */
export async function recordInvoiceCapture(charge: {
  processorId: string;
  intentId: string;
  invoiceId: string;
  amountCents: number;
  /** Named by the charge's own reference; a hosted page opens its charge only when it is paid on. */
  attemptId: string | null;
}): Promise<void> {
  await rows(
    `INSERT INTO processor_captures (organization_id, processor_id, intent_id, invoice_id, amount_cents, disposition)
     VALUES ($1, $2, $3, $4, $5, 'recorded') ON CONFLICT ON CONSTRAINT captures_intent_unique DO NOTHING`,
    [currentOrganization(), charge.processorId, charge.intentId, charge.invoiceId, charge.amountCents],
  );
  await rows(
    'UPDATE payment_attempts SET intent_id = $4 WHERE id = $1 AND invoice_id = $2 AND processor_id = $3 AND intent_id IS NULL',
    [charge.attemptId, charge.invoiceId, charge.processorId, charge.intentId],
  );
  await concludeAttempt({ intentId: charge.intentId, processorId: charge.processorId }, { status: 'succeeded' });
}
