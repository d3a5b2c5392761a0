/**
 * A circuit breaker for each push gateway, shared by all organizations. A gateway that refuses our credentials is
 * paused; then only one push per minute is sent, as a probe.
 */
import { oneRow, rows } from '../../database/rows.js';
import { log } from '../../log.js';
import type { Platform } from './PushToken.js';

const PROBE_INTERVAL = "interval '1 minute'";

/**
 * Returns how many pushes may be sent to a gateway now. While it is paused, one caller per minute may send one push as
 * a probe.
 * @param limit how many pushes the caller would send
 * @returns the number of pushes, and the seconds until the next probe
 */
export async function admitPushes(platform: Platform, limit: number): Promise<{ limit: number; seconds: number }> {
  const { paused, probes, seconds } = await oneRow<{ paused: boolean; probes: boolean; seconds: number }>(
    `WITH probe AS (
       UPDATE push_gateways SET probe_at = now() + ${PROBE_INTERVAL} WHERE platform = $1 AND probe_at <= now() RETURNING 1)
     SELECT paused_at IS NOT NULL AS paused, EXISTS (SELECT FROM probe) AS probes,
            coalesce(greatest(1, ceil(extract(epoch FROM probe_at - now()))), 1)::int AS seconds
       FROM push_gateways WHERE platform = $1`,
    [platform],
  );
  return { limit: paused ? Number(probes) : limit, seconds };
}

/**
 * Pauses a gateway that refuses our credentials.
 * @param code the error code with which it refused
 */
export async function pauseGateway(platform: Platform, code: string): Promise<void> {
  const paused = await rows(
    `UPDATE push_gateways SET paused_at = now(), paused_by = $2, probe_at = now() + ${PROBE_INTERVAL}
      WHERE platform = $1 AND paused_at IS NULL RETURNING 1`,
    [platform, code],
  );
  if (paused.length > 0)
    log.error(
      { platform, code },
      'ALERT: a push gateway refuses our credentials; pushes are paused until it accepts them',
    );
}

/** Resumes a gateway after it accepted a push. */
export async function resumeGateway(platform: Platform): Promise<void> {
  const resumed = await rows(
    `UPDATE push_gateways SET paused_at = NULL, paused_by = NULL, probe_at = NULL
      WHERE platform = $1 AND paused_at IS NOT NULL RETURNING 1`,
    [platform],
  );
  if (resumed.length > 0) log.warn({ platform }, 'a push gateway accepts our credentials again');
}
