import { firstRow } from '../../database/rows.js';

/**
 * Whether an attempt has taken money: `unknown` from the moment at which its charge is open and may be confirmed,
 * or its page is asked for, until its end is written down and its pages are closed. A capture that became known later counts, whatever the attempt had ended as.
 */
export async function chargeOfAttempt(attemptId: string): Promise<'yes' | 'no' | 'unknown'> {
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
