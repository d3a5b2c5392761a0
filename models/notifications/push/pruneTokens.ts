/**
 * Deactivates push tokens that their gateway reports as unregistered. If a gateway reports too many, our key or topic
 * is probably wrong: pruning (this deactivation) halts, and the tokens stay active.
 */
import { oneRow, rows } from '../../database/rows.js';
import { log } from '../../log.js';
import type { Platform } from './PushToken.js';

/**
 * Pruning halts if more than this share of tokens is reported as unregistered within PERIOD. This applies only with at
 * least MIN_ATTEMPTS attempts to at least MIN_PEOPLE people.
 */
const MAX_UNREGISTERED_RATIO = 0.2;
const MIN_ATTEMPTS = 50;
const MIN_PEOPLE = 20;
const PERIOD = "interval '10 minutes'";
/** The maximum number of attempts that are counted. */
const MAX_ATTEMPTS = 1_000;

interface Verdicts {
  attempts: number;
  people: number;
  successes: number;
  unregistered: number;
}

/**
 * A token that a gateway reported as unregistered. If the token was registered again after `registeredBefore`, the
 * report is ignored.
 */
export interface UnregisteredToken {
  tokenId: string;
  registeredBefore: Date;
}

/**
 * Deactivates tokens unless pruning is halted, and halts or resumes pruning if necessary.
 * @param unknown tokens that the gateway has just reported; the reports are already recorded as outcomes of attempts
 */
export async function pruneTokens(platform: Platform, unknown: readonly UnregisteredToken[]): Promise<void> {
  if (await isHalted(platform, unknown.length > 0)) return;
  if (unknown.length === 0) return;
  await rows(
    `UPDATE push_tokens t SET is_active = false, deactivated_reason = 'unregistered', deactivated_at = now()
       FROM unnest($1::uuid[], $2::timestamptz[]) AS u (id, registered_before)
      WHERE t.id = u.id AND t.is_active AND t.last_registered_at < u.registered_before`,
    [unknown.map(({ tokenId }) => tokenId), unknown.map(({ registeredBefore }) => registeredBefore)],
  );
}

async function isHalted(platform: Platform, hasReports: boolean): Promise<boolean> {
  const { halted_at: haltedAt } = await oneRow<{ halted_at: Date | null }>(
    'SELECT pruning_halted_at AS halted_at FROM push_gateways WHERE platform = $1',
    [platform],
  );
  if (haltedAt) return !(await resumeIfHealthy(platform, haltedAt));
  if (!hasReports) return false;
  const recent = await oneRow<Verdicts>(
    `SELECT v.* FROM push_gateways g
      CROSS JOIN LATERAL app.push_verdicts(g.platform, greatest(now() - ${PERIOD}, g.believed_since), ${MAX_ATTEMPTS}) v
      WHERE g.platform = $1`,
    [platform],
  );
  if (!exceedsRatio(recent) || recent.people < MIN_PEOPLE) return false;
  await halt(platform, recent);
  return true;
}

/**
 * Reports whether the share of unregistered tokens is too high. Counts only successful attempts and unregistered
 * tokens, because other outcomes say nothing about a token.
 */
const exceedsRatio = ({ attempts, successes, unregistered }: Verdicts): boolean =>
  attempts >= MIN_ATTEMPTS && unregistered > MAX_UNREGISTERED_RATIO * (successes + unregistered);

/**
 * Halts pruning, and reactivates tokens that were deactivated within the last PERIOD, because those deactivations may
 * have been wrong too.
 */
async function halt(platform: Platform, { attempts, unregistered }: Verdicts): Promise<void> {
  const halted = await rows(
    `UPDATE push_gateways SET pruning_halted_at = now() WHERE platform = $1 AND pruning_halted_at IS NULL RETURNING 1`,
    [platform],
  );
  if (halted.length === 0) return;
  const reactivated = await rows(
    `UPDATE push_tokens SET is_active = true, deactivated_reason = NULL, deactivated_at = NULL
      WHERE platform = $1 AND deactivated_reason = 'unregistered' AND deactivated_at > now() - ${PERIOD} RETURNING 1`,
    [platform],
  );
  log.error(
    { platform, attempts, unregistered, reactivated: reactivated.length },
    'ALERT: a push gateway reports too many tokens as unregistered; no token is removed until it accepts them again',
  );
}

/** Resumes pruning if the share of unregistered tokens among the newest attempts since the halt is normal. */
async function resumeIfHealthy(platform: Platform, haltedAt: Date): Promise<boolean> {
  const since = await oneRow<Verdicts>(`SELECT * FROM app.push_verdicts($1, $2, ${MIN_ATTEMPTS})`, [
    platform,
    haltedAt,
  ]);
  if (since.attempts < MIN_ATTEMPTS || exceedsRatio(since) || since.successes === 0) return false;
  await rows('UPDATE push_gateways SET pruning_halted_at = NULL, believed_since = now() WHERE platform = $1', [
    platform,
  ]);
  log.warn({ platform }, 'a push gateway accepts the tokens again: unregistered tokens are removed');
  return true;
}
