import { audit } from '../../database/audit.js';
import { currentOrganization, firstRow } from '../../database/rows.js';
import { notify } from '../../notifications/notify.js';
import { notifications } from '../notifications.js';

/**
 * Records a failed charge that the payer made on the gateway's own form. Charges that the platform made are skipped,
 * because their workflow ends their attempt.
 * @returns whether the failure is new
 */
export async function recordFailedAttempt(charge: {
  remittanceId: string;
  processorId: string;
  intentId: string;
  amountCents: number;
  failureCode: string | null;
}): Promise<boolean> {
  const failed = await firstRow<{ id: string; failure_code: string | null }>(
    `INSERT INTO payment_attempts
       (organization_id, remittance_id, processor_id, intent_id, amount_cents, currency, status, failure_code, finished_at)
     SELECT organization_id, id, $3, $4, $5, currency, 'failed', $6, now()
       FROM chapter_remittances WHERE organization_id = $1 AND id = $2
     ON CONFLICT ON CONSTRAINT attempts_intent_unique DO UPDATE
       SET failure_code = excluded.failure_code, finished_at = excluded.finished_at
       WHERE payment_attempts.status = 'failed' AND payment_attempts.requested_by IS NULL
         AND payment_attempts.failure_code IS DISTINCT FROM excluded.failure_code
     RETURNING id, failure_code`,
    [
      currentOrganization(),
      charge.remittanceId,
      charge.processorId,
      charge.intentId,
      charge.amountCents,
      charge.failureCode?.slice(0, 100) ?? null,
    ],
  );
  if (!failed) return false;
  await audit({
    action: 'remittance.payment_failed',
    subjectType: 'remittance',
    subjectId: charge.remittanceId,
    after: { attempt_id: failed.id, failure_code: failed.failure_code },
  });
  await notify(notifications.remittance_failed, [charge.remittanceId], { cause: `failed:${failed.id}` });
  return true;
}
