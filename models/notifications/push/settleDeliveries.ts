import { currentOrganization, rows } from '../../database/rows.js';
import { CLAIM_LEASE } from '../deliveries/claimDeliveries.js';
import { receivesPushes } from './devices.js';
import type { Platform } from './PushToken.js';

/**
 * Deliveries to one person that are sent as one push. The push shows one notification; `others` are the remaining ones.
 */
export interface Batch {
  notificationId: string;
  recipientId: string;
  others: readonly string[];
}

/**
 * SQL condition: the delivery has no outcome. Not written as `IS NULL`, because Postgres would then choose the index of
 * the queue, which looks small in its statistics but is full of dead entries.
 */
const IS_OPEN = "coalesce(d.outcome, 'open') = 'open'";

/**
 * Concludes deliveries from the outcomes of the recorded attempts. If at least one phone was reached, the outcome is
 * `sent`. If a phone is to be tried again, the delivery and the deliveries that were combined with it are due again.
 */
export async function settleDeliveries(platform: Platform, batches: readonly Batch[]): Promise<void> {
  await rows(
    `UPDATE notification_deliveries d SET
       outcome = CASE WHEN s.open THEN NULL WHEN s.reached THEN 'sent' WHEN s.tried THEN 'failed' ELSE 'suppressed' END,
       reason = CASE WHEN s.open OR s.reached THEN NULL WHEN s.tried THEN 'gateway_rejected' ELSE 'no_device' END,
       concluded_at = CASE WHEN NOT s.open THEN now() END,
       claimed_at = CASE WHEN NOT s.open THEN d.claimed_at END,
       due_at = CASE WHEN s.open THEN s.due ELSE d.due_at END
      FROM (
        SELECT w.id, count(last.token_id) > 0 AS tried, coalesce(bool_or(last.open), false) AS open,
               min(last.due) FILTER (WHERE last.open) AS due,
               EXISTS (SELECT FROM push_delivery_records r WHERE r.organization_id = $1 AND r.notification_id = w.id
                         AND r.platform = $2 AND r.outcome = 'success') AS reached
          FROM unnest($3::uuid[], $4::uuid[]) AS w (id, recipient_id)
          LEFT JOIN LATERAL (
            SELECT DISTINCT ON (r.token_id) r.token_id,
                   ${receivesPushes('t', 'w.recipient_id', '$1')} AND (r.outcome IS NULL OR r.repeats_at IS NOT NULL) AS open,
                   coalesce(r.repeats_at, r.claimed_at + ${CLAIM_LEASE}) AS due
              FROM push_delivery_records r JOIN push_tokens t ON t.id = r.token_id
             WHERE r.organization_id = $1 AND r.notification_id = w.id AND r.platform = $2
             ORDER BY r.token_id, r.attempt DESC) last ON true
         GROUP BY w.id) s
     WHERE d.organization_id = $1 AND d.channel = $2 AND d.notification_id = s.id AND d.notification_id = ANY($3::uuid[])
       AND ${IS_OPEN}`,
    [
      currentOrganization(),
      platform,
      batches.map(({ notificationId }) => notificationId),
      batches.map(({ recipientId }) => recipientId),
    ],
  );
  const joined = batches.flatMap(({ notificationId, others }) => others.map((id) => [id, notificationId] as const));
  if (joined.length === 0) return;
  await rows(
    `UPDATE notification_deliveries d SET outcome = f.outcome, concluded_at = f.concluded_at, due_at = f.due_at,
            claimed_at = CASE WHEN f.outcome IS NOT NULL THEN d.claimed_at END,
            reason = CASE f.outcome WHEN 'sent' THEN 'batched' ELSE f.reason END
       FROM unnest($3::uuid[], $4::uuid[]) AS w (id, first_id)
       JOIN notification_deliveries f ON f.organization_id = $1 AND f.channel = $2 AND f.notification_id = w.first_id
      WHERE d.organization_id = $1 AND d.channel = $2 AND d.notification_id = w.id AND ${IS_OPEN}`,
    [currentOrganization(), platform, joined.map(([id]) => id), joined.map(([, first]) => first)],
  );
}
