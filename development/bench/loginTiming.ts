/** Whether the time that a refused log-in takes tells what is wrong: an unknown address, a password, a disabled account … */
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
  /** Milliseconds. */
  p50: number;
  p95: number;
  /** Against a wrong password: the chance that one answer of this kind takes longer; 0.5 tells nothing. */
  effect: number;
  p: number;
  reached: boolean;
}

export const LOGIN_TIMING = 'log-in failure timing';
/** A difference counts when it is no chance, and when one answer says more than this beyond tossing a coin. */
const LARGEST_EFFECT = 0.2;
const SMALLEST_P = 0.001;
const WARM_UP = 3;

/** @param rounds how many answers of each kind, in turns so that all meet the same machine. @throws Error when one is no 401 */
export async function timeFailures(owner: Client, base: string, world: World, rounds: number): Promise<Timing[]> {
  const calls = await prepare(owner, world);
  const taken = new Map<Kind, number[]>(KINDS.map((kind) => [kind, []]));
  for (let round = -WARM_UP; round < rounds; round += 1) {
    // Otherwise the budgets of failures would answer.
    await owner.query('DELETE FROM failure_budgets');
    for (const kind of inTurns(round)) {
      const milliseconds = await timed(base, calls[kind]);
      if (round >= 0) taken.get(kind)?.push(milliseconds);
    }
  }
  return judge(taken);
}

/** Who comes first changes. */
const inTurns = (round: number): Kind[] => {
  const first = (round + WARM_UP) % KINDS.length;
  return [...KINDS.slice(first), ...KINDS.slice(0, first)];
};

/** Two people of the copy that is measured lose what signs them in. */
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

/** Each kind against a wrong password. */
export function judge(taken: ReadonlyMap<Kind, number[]>): Timing[] {
  const usual = taken.get('wrong password') ?? [];
  return [...taken].map(([kind, samples]) => {
    const sorted = samples.toSorted((a, b) => a - b);
    const { effect, p } = compare(usual, samples);
    const tells = p < SMALLEST_P && Math.abs(effect - 0.5) > LARGEST_EFFECT;
    const p95 = sorted[Math.floor(sorted.length * 0.95)] ?? 0;
    return { kind, samples: samples.length, p50: median(samples), p95, effect, p, reached: !tells };
  });
}
