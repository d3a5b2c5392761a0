/** Records push attempts: each attempt before the push is sent, and its outcome afterwards. */
import { decrypt } from '../../database/encryption.js';
import { currentOrganization, rows } from '../../database/rows.js';
import { CLAIM_LEASE } from '../deliveries/claimDeliveries.js';
import { isStillVisible } from '../listNotifications.js';
import { receivesPushes } from './devices.js';
import type { Environment, Platform } from './PushToken.js';

/**
 * Error codes with which APNs refuses a token that is invalid or belongs to the other APNs environment (production or
 * sandbox).
 */
const WRONG_ENVIRONMENT_CODES = ['BadDeviceToken', 'DeviceTokenNotForTopic'];

export interface PushAttempt {
  /** Id of the attempt's record. */
  id: string;
  notificationId: string;
  tokenId: string;
  attempt: number;
  environment: Environment;
  /** Whether this attempt uses the other APNs environment, because APNs did not know the token in the stored one. */
  isSecondEnvironment: boolean;
  claimedAt: Date;
  token: string;
  /** Number of unread notifications that the recipient has in this organization. */
  badge: number;
}

/**
 * Claims due push deliveries of the tenant: one attempt for each phone of a recipient. Skips phones that were already
 * reached, that failed for good, or whose retry is not due yet. An earlier attempt that has no outcome when its lease
 * ends counts as lost, and the phone is tried again.
 */
export async function claimAttempts(
  platform: Platform,
  deliveries: readonly { notificationId: string; recipientId: string }[],
): Promise<PushAttempt[]> {
  const claimed = await rows<Omit<PushAttempt, 'token'> & { sealed: string }>(
    `WITH due AS (
       SELECT w.notification_id, t.id AS token_id, t.user_id, t.token_encrypted, coalesce(last.attempt, 0) + 1 AS attempt,
              coalesce(last.elsewhere, false) AS elsewhere,
              CASE WHEN last.elsewhere THEN (CASE last.environment WHEN 'sandbox' THEN 'production' ELSE 'sandbox' END)
                   ELSE t.environment END AS environment
         FROM unnest($2::uuid[], $3::uuid[]) AS w (notification_id, recipient_id)
         JOIN push_tokens t ON t.platform = $4 AND ${receivesPushes('t', 'w.recipient_id', '$1')}
         LEFT JOIN LATERAL (
           SELECT r.attempt, r.outcome, r.repeats_at, r.claimed_at, r.environment,
                  r.outcome = 'transient_failure' AND r.error_code = ANY('{${WRONG_ENVIRONMENT_CODES.join(',')}}') AS elsewhere
             FROM push_delivery_records r
            WHERE r.organization_id = $1 AND r.notification_id = w.notification_id AND r.token_id = t.id
            ORDER BY r.attempt DESC LIMIT 1) last ON true
        WHERE last.attempt IS NULL OR last.repeats_at <= now()
           OR (last.outcome IS NULL AND last.claimed_at < now() - ${CLAIM_LEASE})),
     lost AS (
       UPDATE push_delivery_records r SET outcome = 'transient_failure', error_code = 'unknown', concluded_at = now()
         FROM due WHERE r.organization_id = $1 AND r.notification_id = due.notification_id AND r.token_id = due.token_id
          AND r.outcome IS NULL),
     claimed AS (
       INSERT INTO push_delivery_records (organization_id, notification_id, token_id, platform, environment, attempt)
       SELECT $1, notification_id, token_id, $4, environment, attempt FROM due ORDER BY notification_id, token_id
       ON CONFLICT DO NOTHING RETURNING id, notification_id, token_id, environment, attempt, claimed_at)
     SELECT c.id, c.notification_id AS "notificationId", c.token_id AS "tokenId", c.attempt, c.environment,
            due.elsewhere AS "isSecondEnvironment", c.claimed_at AS "claimedAt", due.token_encrypted AS sealed,
            (SELECT count(*) FROM notifications n WHERE n.organization_id = $1 AND n.recipient_id = due.user_id
                AND n.unlisted_reason IS NULL AND n.read_at IS NULL AND ${isStillVisible('(SELECT app.offices_of($1, due.user_id))')})::int AS badge
       FROM claimed c JOIN due ON due.notification_id = c.notification_id AND due.token_id = c.token_id`,
    [
      currentOrganization(),
      deliveries.map(({ notificationId }) => notificationId),
      deliveries.map(({ recipientId }) => recipientId),
      platform,
    ],
  );
  return claimed.map(({ sealed, ...attempt }) => ({
    ...attempt,
    token: decrypt(sealed, { table: 'push_tokens', column: 'token_encrypted', rowId: attempt.tokenId }),
  }));
}

/** The outcome of an attempt. */
export interface ConcludedAttempt {
  attempt: PushAttempt;
  outcome: 'success' | 'unregistered' | 'transient_failure';
  errorCode: string | null;
  gatewayId: string | null;
  durationMs: number;
  /** Seconds until the next attempt may be made; null if no further attempt follows. */
  repeatsIn: number | null;
}

/**
 * Records the outcomes of attempts, unless they are already recorded. If a phone was reached in the other APNs
 * environment, its token is moved to that environment.
 */
export async function concludeAttempts(concluded: readonly ConcludedAttempt[]): Promise<void> {
  const facts = concluded.map(({ attempt: { id }, ...rest }) => ({ id, ...rest }));
  await rows(
    `WITH said AS (SELECT * FROM jsonb_to_recordset($2::jsonb)
       AS s (id uuid, outcome text, "errorCode" text, "gatewayId" text, "durationMs" int, "repeatsIn" float8))
     UPDATE push_delivery_records r SET outcome = said.outcome, error_code = said."errorCode",
            gateway_id = said."gatewayId", duration_ms = said."durationMs", concluded_at = now(),
            repeats_at = now() + said."repeatsIn" * interval '1 second'
       FROM said WHERE r.organization_id = $1 AND r.id = said.id AND r.id = ANY($3::uuid[]) AND r.outcome IS NULL`,
    [currentOrganization(), JSON.stringify(facts), facts.map(({ id }) => id)],
  );
  const moved = concluded.filter(({ attempt, outcome }) => attempt.isSecondEnvironment && outcome === 'success');
  if (moved.length === 0) return;
  await rows(
    `UPDATE push_tokens t SET environment = m.environment FROM unnest($1::uuid[], $2::text[], $3::timestamptz[])
         AS m (id, environment, claimed_at)
      WHERE t.id = m.id AND t.environment <> m.environment AND t.last_registered_at < m.claimed_at`,
    [
      moved.map(({ attempt }) => attempt.tokenId),
      moved.map(({ attempt }) => attempt.environment),
      moved.map(({ attempt }) => attempt.claimedAt),
    ],
  );
}
