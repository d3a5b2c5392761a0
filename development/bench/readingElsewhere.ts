/** What a roster costs the primary when it is read there, and when a replica shows it. */
import { type Check, check } from './audience.js';
import { forEachAtATime } from './atATime.js';
import { processorTime, takenSince } from './processorTime.js';
import type { Call } from './protocol.js';
import { median } from './rounds.js';
import { until } from './until.js';
import { loginCall } from './world.js';

export const ELSEWHERE = 'roster at a replica';

const ROUNDS = 3;
const AT_A_TIME = 16;

interface Reading {
  /** Reads from a replica. */
  api: string;
  roster: string;
  /** Who reads it. */
  email: string;
  /** How often in a round. */
  reads: number;
  /** The primary's processes. */
  primary: () => number[];
}

/** Only where the system tells of other processes' time (Linux). */
export async function measureElsewhere({ api, roster, email, reads, primary }: Reading): Promise<Check[]> {
  const login = await fetch(api + loginCall(email).path, { ...loginCall(email) });
  const { access_token: token } = (await login.json()) as { access_token: string };
  const bearer = { Authorization: `Bearer ${token}`, 'X-Forwarded-For': '198.51.100.1' };
  const there = { method: 'GET', path: roster, headers: bearer } as const;
  const elsewhere = { ...there, headers: { ...bearer, 'X-Read-After': login.headers.get('X-Read-After') ?? '' } };
  await untilUsed(api);
  for (const call of [there, elsewhere]) await readAll(api, call, 4 * AT_A_TIME);
  // Those that serve these reads are there by now.
  const pids = primary();
  const cost = async (call: Call) => {
    const before = processorTime(pids);
    await readAll(api, call, reads);
    return takenSince(before) / reads;
  };
  const found: [number, number][] = [];
  for (let round = 0; round < ROUNDS; round += 1) found.push([await cost(there), await cost(elsewhere)]);
  const [here, away] = [median(found.map(([one]) => one)), median(found.map(([, other]) => other))];
  const what = `roster at a replica: the primary's time of ${here.toFixed(3)} ms that remains (${away.toFixed(3)} ms)`;
  return [check(what, here > 0 ? (100 * away) / here : 0, 10, '%')];
}

const PATIENCE = { pollMs: 200, patienceMs: 60_000, otherwise: 'The replica is not used after a minute.' };

const untilUsed = (api: string): Promise<true> =>
  until(async () => {
    const { replica } = (await (await fetch(`${api}/readyz/`)).json()) as { replica?: { used: boolean } };
    return replica?.used || null;
  }, PATIENCE);

async function readAll(base: string, { path, headers }: Call, count: number): Promise<void> {
  await forEachAtATime(Array.from({ length: count }), AT_A_TIME, async () => {
    const answer = await fetch(base + path, { headers });
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}.`);
  });
}
