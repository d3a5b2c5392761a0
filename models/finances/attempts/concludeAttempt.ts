import { rows } from '../../database/rows.js';

export type AttemptKey = { attemptId: string } | { processorId: string; intentId: string };

export interface AttemptEnd {
  status: 'succeeded' | 'failed' | 'flagged';
  failureCode?: string;
  failureMessage?: string;
}

/** Ends a pending attempt and releases the invoices that it reserved. An attempt that has ended stays as it is. */
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
  await rows(
    `WITH ended AS (
       UPDATE payment_attempts SET status = $${n + 1}, finished_at = now(), 
              failure_code = coalesce($${n + 2}, failure_code), failure_message = coalesce($${n + 3}, failure_message)
        WHERE ${condition} AND status = 'pending' RETURNING organization_id, id)
     UPDATE chapter_remittance_allocations a SET reserved_by_attempt_id = NULL
       FROM ended WHERE a.organization_id = ended.organization_id AND a.reserved_by_attempt_id = ended.id`,
    [...values, status, failureCode?.slice(0, 100) ?? null, failureMessage?.slice(0, 500) ?? null],
  );
}
