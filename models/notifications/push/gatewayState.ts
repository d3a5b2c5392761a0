/** How a gateway stands, for all organizations. One that does not take our credentials rests, but for a probe each minute. */
import { oneRow, rows } from '../../database/rows.js';
import { log } from '../../log.js';
import type { Platform } from './PushToken.js';

const PROBED_EACH = "interval '1 minute'";

/**
 * Whether pushes go to a gateway now. Of all who ask in a minute in which it rests one may send a probe.
 * @returns how many deliveries may be sent, and where that is none, the seconds until somebody may ask again
 */
export async function admitPushes(platform: Platform, most: number): Promise<{ most: number; seconds: number }> {
  const { paused, probes, seconds } = await oneRow<{ paused: boolean; probes: boolean; seconds: number }>(
    `WITH probe AS (
       UPDATE push_gateways SET probe_at = now() + ${PROBED_EACH} WHERE platform = $1 AND probe_at <= now() RETURNING 1)
     SELECT paused_at IS NOT NULL AS paused, EXISTS (SELECT FROM probe) AS probes,
            coalesce(greatest(1, ceil(extract(epoch FROM probe_at - now()))), 1)::int AS seconds
       FROM push_gateways WHERE platform = $1`,
    [platform],
  );
  return { most: paused ? Number(probes) : most, seconds };
}

/** @param code what the gateway said */
export async function pauseGateway(platform: Platform, code: string): Promise<void> {
  const paused = await rows(
    `UPDATE push_gateways SET paused_at = now(), paused_by = $2, probe_at = now() + ${PROBED_EACH}
      WHERE platform = $1 AND paused_at IS NULL RETURNING 1`,
    [platform, code],
  );
  if (paused.length > 0)
    log.error({ platform, code }, 'ALERT: a push gateway does not take our credentials; pushes rest until it does');
}

/** It has taken a message. */
export async function resumeGateway(platform: Platform): Promise<void> {
  const resumed = await rows(
    `UPDATE push_gateways SET paused_at = NULL, paused_by = NULL, probe_at = NULL
      WHERE platform = $1 AND paused_at IS NOT NULL RETURNING 1`,
    [platform],
  );
  if (resumed.length > 0) log.warn({ platform }, 'a push gateway takes our credentials again');
}
