import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { lookUp } from '../database/oneMessage.js';
import type { TokenClaims } from './tokens.js';

interface Asked {
  claims: TokenClaims;
  answer: (stands: boolean) => void;
}

// For each by its key, whatever the planner takes the number of them for.
const STANDING = `
  SELECT coalesce(array_agg(asked.nth::int), '{}') AS standing
    FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::int[]) WITH ORDINALITY AS asked (sid, sub, org, switches, nth)
   CROSS JOIN LATERAL (
     SELECT FROM sessions s
       JOIN users u ON u.id = s.user_id AND u.disabled_at IS NULL
       JOIN organizations o ON o.id = s.organization_id AND o.is_active
      WHERE s.id = asked.sid AND s.revoked_at IS NULL AND s.expires_at > now()
        AND (s.user_id, s.organization_id, s.switches) IS NOT DISTINCT FROM (asked.sub, asked.org, asked.switches)
        AND EXISTS (SELECT FROM affiliations f WHERE f.user_id = s.user_id AND f.organization_id = s.organization_id)
      LIMIT 1) found`;

/** Where many read, so much lies between two questions; who reads alone waits for nothing. */
const APART_MS = 5;

let waiting: Asked[] = [];
let isAsking = false;
let lastAsked = -Infinity;

/**
 * Whether the session is still what its token says, by the primary, for reads whose answer comes from elsewhere. What it says no to, or
 * does not answer, the look-up of the actor has the words for. Those who come soon after others go together: the message
 * costs more than the look-up.
 */
export function sessionStands(claims: TokenClaims): Promise<boolean> {
  return new Promise((answer) => {
    waiting.push({ claims, answer });
    if (!isAsking) void askForAll();
  });
}

async function askForAll(): Promise<void> {
  isAsking = true;
  while (waiting.length > 0) {
    const early = lastAsked + APART_MS - performance.now();
    if (early > 0) await sleep(early);
    lastAsked = performance.now();
    const asked = waiting;
    waiting = [];
    const standing = await whichStand(asked.map(({ claims }) => claims)).catch(() => new Set<number>());
    for (const [index, { answer }] of asked.entries()) answer(standing.has(index + 1));
  }
  isAsking = false;
}

/** @returns their places, from 1 */
async function whichStand(all: TokenClaims[]): Promise<Set<number>> {
  const columns = [
    all.map(({ sid }) => sid),
    all.map(({ sub }) => sub),
    all.map(({ org }) => org),
    all.map(({ gen = 0 }) => gen),
  ];
  return new Set((await lookUp({ text: STANDING, values: columns, kept: true }))?.['standing'] as number[]);
}
