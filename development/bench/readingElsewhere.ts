/** What a roster costs the primary when it is read there, and when a replica shows it, by officers of sixteen organizations. */
import { type Check, check } from './audience.js';
import { forEachAtATime } from './atATime.js';
import { processorTime, takenSince } from './processorTime.js';
import type { Call } from './protocol.js';
import { median } from './rounds.js';
import { until } from './until.js';
import { loginCall, type Person, type Readers } from './world.js';

export const ELSEWHERE = 'roster at a replica';

const ROUNDS = 3;
const AT_A_TIME = 16;

interface Reading {
  /** Reads from a replica. */
  api: string;
  /** Each reads the roster of their chapter. */
  officers: Readers<Person>['officers'];
  /** How often in a round. */
  reads: number;
  /** The primary's processes. */
  primary: () => number[];
}

/** Only where the system tells of other processes' time (Linux). */
export async function measureElsewhere({ api, officers, reads, primary }: Reading): Promise<Check[]> {
  const there: Call[] = [];
  const elsewhere: Call[] = [];
  for (const { email, chapterId } of officers) {
    const login = await fetch(api + loginCall(email).path, { ...loginCall(email) });
    const { access_token: token } = (await login.json()) as { access_token: string };
    const headers = { Authorization: `Bearer ${token}`, 'X-Forwarded-For': '198.51.100.1' };
    const call: Call = { method: 'GET', path: `/api/chapters/${chapterId}/members/`, headers };
    const position = login.headers.get('X-Read-After') ?? '';
    there.push(call);
    elsewhere.push({ ...call, headers: { ...headers, 'X-Read-After': position } });
  }
  await untilUsed(api);
  for (const calls of [there, elsewhere]) await readAll(api, calls, 4 * AT_A_TIME);
  // Those that serve these reads are there by now.
  const pids = primary();
  const cost = async (calls: Call[]) => {
    const before = processorTime(pids);
    await readAll(api, calls, reads);
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

async function readAll(base: string, calls: Call[], count: number): Promise<void> {
  const all = Array.from({ length: count }, (_, n) => calls[n % calls.length] as Call);
  await forEachAtATime(all, AT_A_TIME, async ({ path, headers }) => {
    const answer = await fetch(base + path, { headers });
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}.`);
  });
}
