/** What the APIs of card processors' stand-ins have in common: routes, and what goes wrong on purpose around an answer. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, Exchange } from './exchange.js';
import type { Faults } from './faults.js';
import type { Common, Hearer, KeptState } from './keptState.js';

/** The path's one group is an id; faults name the operation. */
export type Route<Handler> = [method: string, path: RegExp, operation: string, Handler];

const SLOW_MS = 600;

/** The route that a request is for, and the id in its path. */
export function matched<Handler>(
  routes: readonly Route<Handler>[],
  { method, url }: Exchange,
): [Route<Handler> | undefined, id: string] {
  for (const route of routes) {
    const match = route[0] === method && route[1].exec(url.pathname);
    if (match) return [route, decodeURIComponent(match[1] ?? '')];
  }
  return [undefined, ''];
}

/** What is done is kept before it is answered. @returns null: no answer at all */
export async function withFaults(
  { state, faults }: { state: KeptState<Common<Hearer>>; faults: Faults },
  operation: string,
  act: () => Answer | Promise<Answer>,
): Promise<Answer | null> {
  if (faults.strikes('drop_before_capture', operation)) return null;
  if (faults.strikes('slow', operation)) await sleep(SLOW_MS);
  const answer = await act();
  state.save();
  return faults.strikes('drop_after_capture', operation) ? null : answer;
}
