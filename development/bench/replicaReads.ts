/**
 * Compares the CPU time that a roster read costs the primary database: once when the primary answers it, once when a
 * replica does. The readers are officers of sixteen organizations.
 */
import { type Check, check } from './audience.js';
import { forEachConcurrently } from './forEachConcurrently.js';
import { processorTime, cpuTimeSince } from './processorTime.js';
import type { Call } from './protocol.js';
import { median } from './rounds.js';
import { until } from './until.js';
import { loginCall, type Person, type Readers } from './world.js';

export const ELSEWHERE = 'roster at a replica';

const ROUNDS = 3;
const CONCURRENCY = 16;

interface Setup {
  /** Address of an API that reads from a replica. */
  api: string;
  /** Officers who each read their chapter's roster. */
  officers: Readers<Person>['officers'];
  /** Number of reads per round. */
  reads: number;
  /** Returns the process ids of the primary. */
  primary: () => number[];
}

/**
 * Measures the CPU time of the primary per read of a roster. Works on Linux only, where the CPU time of other processes
 * can be read.
 */
export async function measureReplicaReads({ api, officers, reads, primary }: Setup): Promise<Check[]> {
  const primaryCalls: Call[] = [];
  const replicaCalls: Call[] = [];
  for (const { email, chapterId } of officers) {
    const login = await fetch(api + loginCall(email).path, { ...loginCall(email) });
    const { access_token: token } = (await login.json()) as { access_token: string };
    const headers = { Authorization: `Bearer ${token}`, 'X-Forwarded-For': '198.51.100.1' };
    const call: Call = { method: 'GET', path: `/api/chapters/${chapterId}/members/`, headers };
    const position = login.headers.get('X-Read-After') ?? '';
    primaryCalls.push(call);
    replicaCalls.push({ ...call, headers: { ...headers, 'X-Read-After': position } });
  }
  await untilUsed(api);
  for (const calls of [primaryCalls, replicaCalls]) await readAll(api, calls, 4 * CONCURRENCY);
  // List the primary's processes only now. Each connection has its own process, and the reads above have opened all
  // connections.
  const pids = primary();
  const cost = async (calls: Call[]) => {
    const before = processorTime(pids);
    await readAll(api, calls, reads);
    return cpuTimeSince(before) / reads;
  };
  const roundCosts: [number, number][] = [];
  for (let round = 0; round < ROUNDS; round += 1) roundCosts.push([await cost(primaryCalls), await cost(replicaCalls)]);
  const [primaryMs, replicaMs] = [median(roundCosts.map(([one]) => one)), median(roundCosts.map(([, other]) => other))];
  const what = `roster at a replica: CPU time of the primary, relative to ${primaryMs.toFixed(3)} ms when read there (${replicaMs.toFixed(3)} ms)`;
  return [check(what, primaryMs > 0 ? (100 * replicaMs) / primaryMs : 0, 10, '%')];
}

const POLLING = { pollMs: 200, patienceMs: 60_000, otherwise: 'The replica is not used after a minute.' };

const untilUsed = (api: string): Promise<true> =>
  until(async () => {
    const { replica } = (await (await fetch(`${api}/readyz/`)).json()) as { replica?: { used: boolean } };
    return replica?.used || null;
  }, POLLING);

async function readAll(base: string, calls: Call[], count: number): Promise<void> {
  const all = Array.from({ length: count }, (_, n) => calls[n % calls.length] as Call);
  await forEachConcurrently(all, CONCURRENCY, async ({ path, headers }) => {
    const answer = await fetch(base + path, { headers });
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}.`);
  });
}
