import { currentOrganization, rows } from '../../database/rows.js';
import type { SuppressedDelivery } from '../deliveries/claimDeliveries.js';
import { receivesPushes } from './devices.js';
import type { Platform } from './PushToken.js';

/**
 * Maps reasons for not sending a push to the outcomes recorded for each phone. Other reasons are not recorded per
 * phone.
 */
const OUTCOMES: Record<string, string> = {
  preference_off: 'suppressed_by_preference',
  no_credentials: 'skipped_no_credentials',
};

/** Records, for each phone to which a push would have been sent, why it was not. */
export async function recordSkips(platform: Platform, suppressed: readonly SuppressedDelivery[]): Promise<void> {
  const skipped = suppressed.filter(({ reason }) => reason in OUTCOMES);
  if (skipped.length === 0) return;
  await rows(
    `INSERT INTO push_delivery_records
       (organization_id, notification_id, token_id, platform, environment, attempt, outcome, concluded_at)
     SELECT $1, w.notification_id, t.id, t.platform, t.environment,
            1 + coalesce((SELECT max(r.attempt) FROM push_delivery_records r WHERE r.organization_id = $1
               AND r.notification_id = w.notification_id AND r.token_id = t.id), 0), w.outcome, now()
       FROM unnest($2::uuid[], $3::uuid[], $4::text[]) AS w (notification_id, recipient_id, outcome)
       JOIN push_tokens t ON t.platform = $5 AND ${receivesPushes('t', 'w.recipient_id', '$1')}
     ON CONFLICT DO NOTHING`,
    [
      currentOrganization(),
      skipped.map(({ notificationId }) => notificationId),
      skipped.map(({ recipientId }) => recipientId),
      skipped.map(({ reason }) => OUTCOMES[reason]),
      platform,
    ],
  );
}
