/** Requests payments as officers do, and measures the CPU time that each part of the platform uses for them. */
import { setTimeout as sleep } from 'node:timers/promises';
import { forEachConcurrently } from '../forEachConcurrently.js';
import { processorTime, cpuTimeSince } from '../processorTime.js';
import type { Call } from '../protocol.js';

const MAX_TRIES = 60;
const PAUSE_MS = 1_000;

/**
 * Makes all calls with limited concurrency, alternating between the APIs.
 * @returns how many calls ended with each status
 */
export async function sendAll(apis: string[], calls: Call[], concurrency: number): Promise<Map<number, number>> {
  const answers = new Map<number, number>();
  await forEachConcurrently(calls, concurrency, async (call, place) => {
    const status = await sendWithRetries(apis[place % apis.length] as string, call);
    answers.set(status, (answers.get(status) ?? 0) + 1);
  });
  return answers;
}

/** Sends a call, and repeats it while the API responds with 503, as it may on a slow machine. */
async function sendWithRetries(api: string, { method, path, headers, body }: Call): Promise<number> {
  for (let tries = 1; ; tries += 1) {
    const response = await fetch(`${api}${path}`, { method, headers, ...(body === undefined ? {} : { body }) });
    await response.arrayBuffer();
    if (response.status !== 503 || tries === MAX_TRIES) return response.status;
    await sleep(PAUSE_MS);
  }
}

/**
 * Makes all payments.
 * @throws Error unless all payments are settled
 */
export async function payAll(apis: string[], calls: Call[], concurrency: number): Promise<void> {
  const answers = await sendAll(apis, calls, concurrency);
  if (answers.get(200) !== calls.length) throw new Error(`Payments were answered ${JSON.stringify([...answers])}.`);
}

/**
 * Measures CPU time during some work.
 * @returns the CPU time in milliseconds that each part used during `work`
 */
export async function cpuTimeDuring(
  parts: Record<string, number[]>,
  work: () => Promise<unknown>,
): Promise<Record<string, number>> {
  const before = Object.entries(parts).map(([part, pids]) => [part, processorTime(pids)] as const);
  await work();
  return Object.fromEntries(before.map(([part, times]) => [part, cpuTimeSince(times)]));
}
