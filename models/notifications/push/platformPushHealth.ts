import { oneRow } from '../../database/rows.js';
import { configuredPlatforms } from './configured.js';
import { PLATFORMS, type Platform } from './PushToken.js';

const PUSH_OUTCOMES = [
  'success',
  'unregistered',
  'transient_failure',
  'skipped_no_credentials',
  'suppressed_by_preference',
] as const;
export type PushOutcome = (typeof PUSH_OUTCOMES)[number];

interface GatewayState {
  /**
   * Since when the gateway is paused because it refuses our credentials; null if it is not paused. Pushes wait until
   * the gateway accepts the credentials.
   */
  paused_at: string | null;
  /** The gateway's response because of which it was paused; null if it is not paused. */
  paused_reason: string | null;
  /** When the next probe may be sent; null if the gateway is not paused. */
  next_probe_at: string | null;
  /**
   * Since when no tokens are deactivated, because the gateway reports too many of them as unregistered. Null if tokens
   * are deactivated normally.
   */
  pruning_halted_at: string | null;
}

interface PushHealth {
  since: string;
  platforms: Record<Platform, Record<PushOutcome, number>>;
  configured: Record<Platform, boolean>;
  gateways: Record<Platform, GatewayState>;
}

/** Returns the state of both gateways, and the number of push attempts of the last 24 hours in all organizations by outcome. */
export async function readPushHealth(): Promise<PushHealth> {
  const { since, counts, gateways } = await oneRow<{
    since: string;
    gateways: PushHealth['gateways'];
    counts: { platform: Platform; outcome: PushOutcome; count: number }[];
  }>(
    `SELECT to_json(now() - interval '24 hours') AS since,
            (SELECT coalesce(json_agg(h), '[]') FROM app.push_health(now() - interval '24 hours') h) AS counts,
            (SELECT json_object_agg(platform, json_build_object('paused_at', paused_at, 'paused_reason', paused_by,
                      'next_probe_at', probe_at, 'pruning_halted_at', pruning_halted_at)) FROM push_gateways) AS gateways`,
  );
  const healthOf = (platform: Platform) =>
    Object.fromEntries(
      PUSH_OUTCOMES.map((outcome) => [
        outcome,
        counts.find((row) => row.platform === platform && row.outcome === outcome)?.count ?? 0,
      ]),
    );
  const platforms = Object.fromEntries(PLATFORMS.map((platform) => [platform, healthOf(platform)]));
  return { since, platforms: platforms as PushHealth['platforms'], configured: configuredPlatforms(), gateways };
}
