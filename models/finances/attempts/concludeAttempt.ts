import { audit } from '../../database/audit.js';
import { changeRow } from '../../database/model/change.js';
import { firstRow } from '../../database/rows.js';
import { notify } from '../../notifications/notify.js';
import { notifications } from '../notifications.js';
import { financesUpstream } from '../upstream.js';
import { PaymentAttempt } from './PaymentAttempt.js';

export type AttemptKey = { attemptId: string } | { processorId: string; intentId: string };

export interface AttemptEnd {
  status: 'succeeded' | 'failed' | 'flagged';
  failureCode?: string;
  failureMessage?: string;
}

interface EndedAttempt {
  id: string;
  remittance_id: string | null;
  donation_id: string | null;
  failure_code: string | null;
}

/**
 * Ends a pending attempt and releases the invoices that it reserved; an attempt that has already ended does not change.
 * A failed attempt to pay a remittance is audited and notified once. For an attempt to pay a gift, the caller has
 * locked the gift.
 */
export async function concludeAttempt(
  key: AttemptKey,
  { status, failureCode, failureMessage }: AttemptEnd,
): Promise<void> {
  const [condition, values] =
    'attemptId' in key
      ? ['id = $1', [key.attemptId]]
      : [
          'id = (SELECT id FROM payment_attempts WHERE intent_id = $1 AND processor_id = $2)',
          [key.intentId, key.processorId],
        ];
  const n = values.length;
  const ended = await firstRow<EndedAttempt>(
    `WITH ended AS (
       UPDATE payment_attempts SET status = $${n + 1}, finished_at = now(), 
              failure_code = coalesce($${n + 2}, failure_code), failure_message = coalesce($${n + 3}, failure_message)
        WHERE ${condition} AND status = 'pending' RETURNING organization_id, id, remittance_id, donation_id, failure_code),
     released AS (
       UPDATE chapter_remittance_allocations a SET reserved_by_attempt_id = NULL
         FROM ended WHERE a.organization_id = ended.organization_id AND a.reserved_by_attempt_id = ended.id)
     SELECT id, remittance_id, donation_id, failure_code FROM ended`,
    [...values, status, failureCode?.slice(0, 100) ?? null, failureMessage?.slice(0, 500) ?? null],
  );
  if (!ended || status !== 'failed') return;
  const { remittance_id, donation_id, failure_code } = ended;
  if (remittance_id) await reportFailure(remittance_id, ended);
  if (donation_id)
    await financesUpstream().donationPageOver({
      donationId: donation_id,
      attemptId: ended.id,
      failureCode: failure_code,
    });
}

/** The charge of a hosted page, and the attempt that its reference names. */
interface PageCharge {
  attemptId: string | null;
  processorId: string;
  intentId: string;
}

/**
 * Ends the attempt of a charge that was captured on a hosted page. The charge exists only since the payer paid, so its
 * id is recorded first.
 * @param subject the invoice or the gift that the page is for
 */
export async function concludePageCharge(
  { attemptId, processorId, intentId }: PageCharge,
  subject: { invoice_id: string } | { donation_id: string },
  status: AttemptEnd['status'],
): Promise<void> {
  if (attemptId) {
    const unpaid = { id: attemptId, ...subject, processor_id: processorId, intent_id: null };
    await changeRow(PaymentAttempt, unpaid, { intent_id: intentId });
  }
  await concludeAttempt({ intentId, processorId }, { status });
}

/** Reports the failure code only: a provider's message may contain card data. */
async function reportFailure(remittanceId: string, { id, failure_code }: EndedAttempt): Promise<void> {
  await audit({
    action: 'remittance.payment_failed',
    subjectType: 'remittance',
    subjectId: remittanceId,
    after: { attempt_id: id, failure_code },
  });
  await notify(notifications.remittance_failed, [remittanceId], { cause: `failed:${id}` });
}
