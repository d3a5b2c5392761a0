/**
 * Tests whether the response time of a failed log-in reveals the reason: an unknown address, a wrong password, a
 * disabled account …
 */
import type { Client } from 'pg';
import { compare } from './mannWhitney.js';
import type { Call } from './protocol.js';
import { median } from './rounds.js';
import { loginCall, type World } from './world.js';

const KINDS = ['wrong password', 'unknown address', 'disabled', 'without password'] as const;
type Kind = (typeof KINDS)[number];

export interface Timing {
  kind: Kind;
  samples: number;
  /** Median response time in milliseconds. */
  p50: number;
  p95: number;
  /**
   * Probability that an answer of this kind takes longer than an answer to a wrong password; 0.5 means no difference.
   */
  effect: number;
  p: number;
  reached: boolean;
}

export const LOGIN_TIMING = 'log-in failure timing';
/**
 * Limits of the comparison. A kind of failure reveals itself if its p value is below MIN_P and its effect differs from
 * 0.5 by more than MAX_EFFECT.
 */
const MAX_EFFECT = 0.2;
const MIN_P = 0.001;
const WARM_UP = 3;

/**
 * Times failed log-ins. The kinds of failure take turns, so that all are measured under the same conditions.
 * @param rounds number of answers of each kind
 * @throws Error when an answer is not a 401
 */
export async function timeFailures(owner: Client, base: string, world: World, rounds: number): Promise<Timing[]> {
  const calls = await prepare(owner, world);
  const durations = new Map<Kind, number[]>(KINDS.map((kind) => [kind, []]));
  for (let round = -WARM_UP; round < rounds; round += 1) {
    // Reset the throttle for failed log-ins, which would otherwise refuse the request.
    await owner.query('DELETE FROM failure_budgets');
    for (const kind of inTurns(round)) {
      const milliseconds = await timed(base, calls[kind]);
      if (round >= 0) durations.get(kind)?.push(milliseconds);
    }
  }
  return judge(durations);
}

/** Returns the kinds of failure in the order for this round; each round begins with the next kind. */
const inTurns = (round: number): Kind[] => {
  const first = (round + WARM_UP) % KINDS.length;
  return [...KINDS.slice(first), ...KINDS.slice(0, first)];
};

/**
 * Prepares a log-in that fails for each kind of failure. For this it disables one account and deletes the password of
 * another, in the benchmark's copy of the database.
 */
async function prepare(owner: Client, { members, officer }: World): Promise<Record<Kind, Call>> {
  const [disabled, without] = members.slice(-2);
  if (!disabled || !without || disabled === without) throw new Error('The seed has too few members to time.');
  await owner.query('UPDATE users SET disabled_at = now() WHERE email = $1', [disabled]);
  await owner.query('UPDATE users SET password_hash = NULL WHERE email = $1', [without]);
  const call = (email: string): Call => {
    const right = loginCall(email);
    return { ...right, body: JSON.stringify({ email, password: 'not-the-password-of-anybody' }) };
  };
  return {
    'wrong password': call(officer),
    'unknown address': call('nobody-at-all@bench.example'),
    disabled: call(disabled),
    'without password': call(without),
  };
}

async function timed(base: string, { method, path, headers, body = '' }: Call): Promise<number> {
  const begun = performance.now();
  const response = await fetch(base + path, { method, headers, body });
  await response.arrayBuffer();
  const milliseconds = performance.now() - begun;
  if (response.status !== 401) throw new Error(`A log-in that must fail was answered with ${response.status}.`);
  return milliseconds;
}

/** Compares each kind with a wrong password. */
export function judge(durations: ReadonlyMap<Kind, number[]>): Timing[] {
  const usual = durations.get('wrong password') ?? [];
  return [...durations].map(([kind, samples]) => {
    const sorted = samples.toSorted((a, b) => a - b);
    const { effect, p } = compare(usual, samples);
    const reveals = p < MIN_P && Math.abs(effect - 0.5) > MAX_EFFECT;
    const p95 = sorted[Math.floor(sorted.length * 0.95)] ?? 0;
    return { kind, samples: samples.length, p50: median(samples), p95, effect, p, reached: !reveals };
  });
}
