/** Paying one invoice on a page of the gateway: the attempt is committed before the page is asked for. */
import { currentOrganization, firstRow, oneRow, rows } from '../../database/rows.js';
import { defineErrors, refuse } from '../../errors.js';
import { remittanceErrors } from '../remittances/errors.js';

export const hostedPaymentErrors = defineErrors({
  invoice_not_payable: [409, 'This invoice has nothing left to pay.'],
  invoice_being_paid: [409, 'A remittance is paying this invoice right now. Look again in a moment.'],
});

export interface HostedAttempt {
  id: string;
  amountCents: number;
  currency: string;
  description: string;
  processorId: string;
  /** Of a page that is still open for the same amount. */
  url: string | null;
  expiresAt: Date | null;
}

interface PayableInvoice {
  status: string;
  balance_due_cents: number;
  currency: string;
  description: string;
}

/**
 * The attempt to pay what is due on an invoice now: one that is still open, or a new one.
 * @throws Refusal not_found, invoice_not_payable, payment_processor_required
 */
export async function openHostedAttempt(invoiceId: string, userId: string): Promise<HostedAttempt> {
  const invoice = await firstRow<PayableInvoice>(
    'SELECT status, balance_due_cents, currency, description FROM chapter_invoices WHERE id = $1 FOR UPDATE',
    [invoiceId],
  );
  if (!invoice) throw refuse.not_found();
  if (invoice.status === 'void' || invoice.balance_due_cents === 0) throw hostedPaymentErrors.invoice_not_payable();
  const reserved = await firstRow(
    'SELECT 1 FROM chapter_remittance_allocations WHERE invoice_id = $1 AND reserved_by_attempt_id IS NOT NULL',
    [invoiceId],
  );
  if (reserved) throw hostedPaymentErrors.invoice_being_paid();
  const processor = await firstRow<{ id: string }>('SELECT id FROM org_payment_processors WHERE disabled_at IS NULL');
  if (!processor) throw remittanceErrors.payment_processor_required();
  await closeExpired(invoiceId);
  const { balance_due_cents: amountCents, currency, description } = invoice;
  const attempt =
    (await openAttempt(invoiceId, processor.id, amountCents)) ??
    (await newAttempt(invoiceId, processor.id, amountCents, currency, userId));
  return { ...attempt, amountCents, currency, description, processorId: processor.id };
}

/** Keeps the page, so that a second click leads to the same one. */
export async function rememberHostedPage(
  attemptId: string,
  page: { sessionId: string; url: string; expiresAt: Date },
): Promise<void> {
  await rows(
    'UPDATE payment_attempts SET checkout_session_id = $2, checkout_url = $3, checkout_expires_at = $4 WHERE id = $1',
    [attemptId, page.sessionId, page.url, page.expiresAt],
  );
}

type Open = Pick<HostedAttempt, 'id' | 'url' | 'expiresAt'>;

const openAttempt = (invoiceId: string, processorId: string, amountCents: number): Promise<Open | null> =>
  firstRow<Open>(
    `SELECT id, checkout_url AS url, checkout_expires_at AS "expiresAt" FROM payment_attempts
      WHERE invoice_id = $1 AND processor_id = $2 AND amount_cents = $3 AND status = 'pending'
        AND coalesce(checkout_expires_at, created_at + interval '1 hour') > now() + interval '5 minutes'
      ORDER BY id DESC LIMIT 1`,
    [invoiceId, processorId, amountCents],
  );

async function newAttempt(
  invoiceId: string,
  processorId: string,
  amountCents: number,
  currency: string,
  userId: string,
): Promise<Open> {
  const { id } = await oneRow<{ id: string }>(
    `INSERT INTO payment_attempts (organization_id, invoice_id, processor_id, amount_cents, currency, requested_by)
     VALUES ($1, $2, $3, $4, $5, $6) RETURNING id`,
    [currentOrganization(), invoiceId, processorId, amountCents, currency, userId],
  );
  return { id, url: null, expiresAt: null };
}

async function closeExpired(invoiceId: string): Promise<void> {
  await rows(
    `UPDATE payment_attempts SET status = 'failed', failure_code = 'expired', finished_at = now()
      WHERE invoice_id = $1 AND status = 'pending' AND coalesce(checkout_expires_at, created_at + interval '25 hours') < now()`,
    [invoiceId],
  );
}
