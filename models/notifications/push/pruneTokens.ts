/**
 * Gives up phones that their gateway does not know any more, unless it says so of too many: then not the phones are wrong
 * but our key or topic, and they are kept.
 */
import { oneRow, rows } from '../../database/rows.js';
import { log } from '../../log.js';
import type { Platform } from './PushToken.js';

/** Over this share of the attempts, of at least so many, to at least so many people, in so long a time. */
const HALTED_OVER = 0.2;
const ATTEMPTS = 50;
const PEOPLE = 20;
const LATELY = "interval '10 minutes'";
/** More of them say the same. */
const NEWEST = 1_000;

interface Verdicts {
  attempts: number;
  people: number;
  successes: number;
  unregistered: number;
}

/** A phone that is dead if it was registered last before a moment. */
export interface Unknown {
  tokenId: string;
  registeredBefore: Date;
}

/** @param unknown what the gateway has just said, and is on record already */
export async function pruneTokens(platform: Platform, unknown: readonly Unknown[]): Promise<void> {
  if (await isHalted(platform, unknown.length > 0)) return;
  if (unknown.length === 0) return;
  await rows(
    `UPDATE push_tokens t SET is_active = false, deactivated_reason = 'unregistered', deactivated_at = now()
       FROM unnest($1::uuid[], $2::timestamptz[]) AS u (id, registered_before)
      WHERE t.id = u.id AND t.is_active AND t.last_registered_at < u.registered_before`,
    [unknown.map(({ tokenId }) => tokenId), unknown.map(({ registeredBefore }) => registeredBefore)],
  );
}

async function isHalted(platform: Platform, asked: boolean): Promise<boolean> {
  const { halted_at: haltedAt } = await oneRow<{ halted_at: Date | null }>(
    'SELECT pruning_halted_at AS halted_at FROM push_gateways WHERE platform = $1',
    [platform],
  );
  if (haltedAt) return !(await goesOn(platform, haltedAt));
  if (!asked) return false;
  const lately = await oneRow<Verdicts>(
    `SELECT v.* FROM push_gateways g
      CROSS JOIN LATERAL app.push_verdicts(g.platform, greatest(now() - ${LATELY}, g.believed_since), ${NEWEST}) v
      WHERE g.platform = $1`,
    [platform],
  );
  if (!areTooMany(lately) || lately.people < PEOPLE) return false;
  await halt(platform, lately);
  return true;
}

/** What was only tried says nothing about phones. */
const areTooMany = ({ attempts, successes, unregistered }: Verdicts): boolean =>
  attempts >= ATTEMPTS && unregistered > HALTED_OVER * (successes + unregistered);

/** Those that were given up meanwhile are taken back: they were judged by the same word. */
async function halt(platform: Platform, { attempts, unregistered }: Verdicts): Promise<void> {
  const halted = await rows(
    `UPDATE push_gateways SET pruning_halted_at = now() WHERE platform = $1 AND pruning_halted_at IS NULL RETURNING 1`,
    [platform],
  );
  if (halted.length === 0) return;
  const back = await rows(
    `UPDATE push_tokens SET is_active = true, deactivated_reason = NULL, deactivated_at = NULL
      WHERE platform = $1 AND deactivated_reason = 'unregistered' AND deactivated_at > now() - ${LATELY} RETURNING 1`,
    [platform],
  );
  log.error(
    { platform, attempts, unregistered, takenBack: back.length },
    'ALERT: a push gateway calls too many phones unknown; none is given up until it knows them again',
  );
}

/** As soon as the newest attempts since then look as they should. */
async function goesOn(platform: Platform, haltedAt: Date): Promise<boolean> {
  const since = await oneRow<Verdicts>(`SELECT * FROM app.push_verdicts($1, $2, ${ATTEMPTS})`, [platform, haltedAt]);
  if (since.attempts < ATTEMPTS || areTooMany(since) || since.successes === 0) return false;
  await rows('UPDATE push_gateways SET pruning_halted_at = NULL, believed_since = now() WHERE platform = $1', [
    platform,
  ]);
  log.warn({ platform }, 'a push gateway knows the phones again: those that it does not are given up');
  return true;
}
