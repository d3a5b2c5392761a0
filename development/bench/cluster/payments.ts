/** Payments as officers ask for them, and what they take of the processors by part. */
import { setTimeout as sleep } from 'node:timers/promises';
import { forEachAtATime } from '../atATime.js';
import { processorTime, takenSince } from '../processorTime.js';
import type { Call } from '../protocol.js';

const MOST_TRIES = 60;
const PAUSE_MS = 1_000;

/** Makes all calls, so many at a time, at each API in turn. @returns how they were answered in the end: status -> how often */
export async function askAll(apis: string[], calls: Call[], atATime: number): Promise<Map<number, number>> {
  const answers = new Map<number, number>();
  await forEachAtATime(calls, atATime, async (call, place) => {
    const status = await askInTime(apis[place % apis.length] as string, call);
    answers.set(status, (answers.get(status) ?? 0) + 1);
  });
  return answers;
}

/** What is busy on a slow machine asks to be asked again. */
async function askInTime(api: string, { method, path, headers, body }: Call): Promise<number> {
  for (let tries = 1; ; tries += 1) {
    const response = await fetch(`${api}${path}`, { method, headers, ...(body === undefined ? {} : { body }) });
    await response.arrayBuffer();
    if (response.status !== 503 || tries === MOST_TRIES) return response.status;
    await sleep(PAUSE_MS);
  }
}

/** @throws Error unless all are settled */
export async function payAll(apis: string[], calls: Call[], atATime: number): Promise<void> {
  const answers = await askAll(apis, calls, atATime);
  if (answers.get(200) !== calls.length) throw new Error(`Payments were answered ${JSON.stringify([...answers])}.`);
}

/** @returns milliseconds of each part that `work` took, those of no part left out */
export async function takenBy(
  parts: Record<string, number[]>,
  work: () => Promise<unknown>,
): Promise<Record<string, number>> {
  const before = Object.entries(parts).map(([part, pids]) => [part, processorTime(pids)] as const);
  await work();
  return Object.fromEntries(before.map(([part, times]) => [part, takenSince(times)]));
}
