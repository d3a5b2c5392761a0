import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { queryUnmetered } from '../database/pipelinedTransaction.js';
import type { TokenClaims } from './tokens.js';

interface PendingCheck {
  claims: TokenClaims;
  answer: (isValid: boolean) => void;
}

// SQL that checks a batch of sessions. The lateral join with LIMIT 1 makes Postgres look up each session by its key,
// even if the planner expects many rows.
const VALID_SESSIONS_SQL = `
  SELECT coalesce(array_agg(asked.nth::int), '{}') AS valid
    FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::int[]) WITH ORDINALITY AS asked (sid, sub, org, switches, nth)
   CROSS JOIN LATERAL (
     SELECT FROM sessions s
       JOIN users u ON u.id = s.user_id AND u.disabled_at IS NULL
       JOIN organizations o ON o.id = s.organization_id AND o.is_active
      WHERE s.id = asked.sid AND s.revoked_at IS NULL AND s.expires_at > now()
        AND (s.user_id, s.organization_id, s.switches) IS NOT DISTINCT FROM (asked.sub, asked.org, asked.switches)
        AND EXISTS (SELECT FROM affiliations f WHERE f.user_id = s.user_id AND f.organization_id = s.organization_id)
      LIMIT 1) found`;

/** Minimum time between two batches under load. A single check after a pause is sent at once. */
const BATCH_WINDOW_MS = 5;

let pendingChecks: PendingCheck[] = [];
let isFlushing = false;
let lastBatchAt = -Infinity;

/**
 * Asks the primary database whether the session still matches its token. Requests that are served from a replica or a
 * cache need this check. Returns false also when the check itself fails: the caller then loads the actor, which
 * produces the right error. Concurrent checks share one batch, because a round trip costs more than the look-up.
 */
export function isSessionValid(claims: TokenClaims): Promise<boolean> {
  return new Promise((answer) => {
    pendingChecks.push({ claims, answer });
    if (!isFlushing) void flushChecks();
  });
}

async function flushChecks(): Promise<void> {
  isFlushing = true;
  while (pendingChecks.length > 0) {
    const remainingMs = lastBatchAt + BATCH_WINDOW_MS - performance.now();
    if (remainingMs > 0) await sleep(remainingMs);
    lastBatchAt = performance.now();
    const batch = pendingChecks;
    pendingChecks = [];
    const validPositions = await findValidPositions(batch.map(({ claims }) => claims)).catch(() => new Set<number>());
    for (const [index, { answer }] of batch.entries()) answer(validPositions.has(index + 1));
  }
  isFlushing = false;
}

/** Returns the positions in `all` (counted from 1) whose sessions are valid. */
async function findValidPositions(all: TokenClaims[]): Promise<Set<number>> {
  const columns = [
    all.map(({ sid }) => sid),
    all.map(({ sub }) => sub),
    all.map(({ org }) => org),
    all.map(({ gen = 0 }) => gen),
  ];
  return new Set(
    (await queryUnmetered({ text: VALID_SESSIONS_SQL, values: columns, prepared: true }))?.['valid'] as number[],
  );
}
