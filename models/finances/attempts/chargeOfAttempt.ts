import { rows } from '../../database/rows.js';

/** Whether money has moved; `unknown`: it may have. */
export type ChargeState = 'yes' | 'no' | 'unknown';

/**
 * Reports for each attempt whether it has captured money; unknown ids are left out. The result is `unknown` while the
 * charge may still be confirmed. For a hosted page it is `unknown` from the request of the page until the attempt has
 * ended and its pages are closed. A capture that is reported later counts, even if the attempt failed.
 */
export async function readAttemptCharges(attemptIds: readonly string[]): Promise<ReadonlyMap<string, ChargeState>> {
  const attempts = await rows<{ id: string; over: boolean; opened: boolean; captured: boolean }>(
    `SELECT a.id, a.status <> 'pending' AND (a.checkout_keys = 0 OR a.checkout_closed_at IS NOT NULL) AS over,
            a.intent_id IS NOT NULL OR a.checkout_keys > 0 AS opened,
            a.captured_cents IS NOT NULL OR a.status IN ('succeeded','flagged')
              OR EXISTS (SELECT 1 FROM processor_captures c WHERE c.organization_id = a.organization_id
                           AND c.processor_id = a.processor_id AND c.intent_id = a.intent_id) AS captured
       FROM payment_attempts a WHERE a.organization_id = (SELECT app.org_id()) AND a.id = ANY ($1)`,
    [attemptIds],
  );
  return new Map(
    attempts.map(({ id, over, opened, captured }) => [id, captured ? 'yes' : !over && opened ? 'unknown' : 'no']),
  );
}
