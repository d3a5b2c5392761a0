/** Returns the money of charges that succeeded after their pledge was cancelled. */
import { currentOrganization, firstRow, oneRow } from '../../database/rows.js';
import { hasPendingRefund, lockCapture, requestCaptureRefund } from '../../finances/captures/resolveUnmatched.js';

/** A failed refund is requested again after this time. */
const SECONDS_BETWEEN_REFUNDS = 86_400;

/**
 * none: nothing has to be returned. pending: the refund is on its way, or has just failed. failed: it must be requested
 * again.
 */
type ReturnState = 'none' | 'pending' | 'failed' | 'returned';

/** Reports how far the return of a gift's money is. */
export async function readReturn(donationId: string): Promise<ReturnState> {
  const { state } = await oneRow<{ state: ReturnState }>(
    `SELECT CASE WHEN g.cancelled_at IS NULL OR p.closed_at < g.cancelled_at THEN 'none'
                 WHEN d.status = 'refunded' THEN 'returned'
                 WHEN coalesce(r.finished_at > now() - make_interval(secs => $3), r.status = 'pending', false) THEN 'pending'
                 ELSE 'failed' END AS state
       FROM donations d
       JOIN pledge_periods p ON p.organization_id = d.organization_id AND p.donation_id = d.id
       JOIN recurring_pledges g ON g.organization_id = d.organization_id AND g.id = d.pledge_id
       JOIN donation_entries e ON e.organization_id = d.organization_id AND e.donation_id = d.id AND e.kind = 'received'
       LEFT JOIN LATERAL (SELECT c.status, c.finished_at FROM capture_resolutions c
                           WHERE c.organization_id = d.organization_id AND c.capture_id = e.capture_id AND c.resolution = 'refund'
                           ORDER BY c.id DESC LIMIT 1) r ON true
      WHERE d.organization_id = $1 AND d.id = $2`,
    [currentOrganization(), donationId, SECONDS_BETWEEN_REFUNDS],
  );
  return state;
}

/** Requests the refund of all that remains of a gift, unless a refund is pending. */
export async function requestReturn(donationId: string): Promise<void> {
  const charge = await firstRow<{ capture_id: string }>(
    `SELECT capture_id FROM donation_entries WHERE organization_id = $1 AND donation_id = $2 AND kind = 'received'`,
    [currentOrganization(), donationId],
  );
  if (!charge) return;
  const capture = await lockCapture(charge.capture_id);
  if (capture.amount_cents > capture.refunded_cents && !(await hasPendingRefund(capture.id)))
    await requestCaptureRefund(capture, 'The pledge was cancelled before this charge succeeded.');
}
