import { firstRow } from '../../database/rows.js';

/**
 * Reports whether an attempt has captured money. The result is `unknown` while the charge may still be confirmed. For a
 * hosted page it is `unknown` from the request of the page until the attempt has ended and its pages are closed. A
 * capture that is reported later counts, even if the attempt failed.
 */
export async function readAttemptCharge(attemptId: string): Promise<'yes' | 'no' | 'unknown'> {
  const attempt = await firstRow<{ over: boolean; opened: boolean; captured: boolean }>(
    `SELECT a.status <> 'pending' AND (a.checkout_keys = 0 OR a.checkout_closed_at IS NOT NULL) AS over,
            a.intent_id IS NOT NULL OR a.checkout_keys > 0 AS opened,
            a.captured_cents IS NOT NULL OR a.status IN ('succeeded','flagged')
              OR EXISTS (SELECT 1 FROM processor_captures c WHERE c.organization_id = a.organization_id
                           AND c.processor_id = a.processor_id AND c.intent_id = a.intent_id) AS captured
       FROM payment_attempts a WHERE a.organization_id = (SELECT app.org_id()) AND a.id = $1`,
    [attemptId],
  );
  if (!attempt) return 'unknown';
  if (attempt.captured) return 'yes';
  return !attempt.over && attempt.opened ? 'unknown' : 'no';
}
