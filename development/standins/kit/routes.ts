/** Shared parts of the card processor APIs: finding the route of a request, and applying faults to its response. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, Exchange } from './exchange.js';
import type { Faults } from './faults.js';
import type { CommonState, WebhookEndpoint, StoredState } from './storedState.js';

/**
 * One route of an API. The only capturing group of `path` is the object's id. `operation` is the name that faults use
 * to select requests.
 */
export type Route<Handler> = [method: string, path: RegExp, operation: string, Handler];

const SLOW_MS = 600;

/** Returns the route of a request and the id in its path. */
export function matchRoute<Handler>(
  routes: readonly Route<Handler>[],
  { method, url }: Exchange,
): [Route<Handler> | undefined, id: string] {
  for (const route of routes) {
    const match = route[0] === method && route[1].exec(url.pathname);
    if (match) return [route, decodeURIComponent(match[1] ?? '')];
  }
  return [undefined, ''];
}

/**
 * Performs a request under the active faults, and saves the state before the response is sent.
 * @returns null when the connection must be dropped
 */
export async function withFaults(
  { state, faults }: { state: StoredState<CommonState<WebhookEndpoint>>; faults: Faults },
  operation: string,
  act: () => Answer | Promise<Answer>,
): Promise<Answer | null> {
  if (faults.applies('drop_before_capture', operation)) return null;
  if (faults.applies('slow', operation)) await sleep(SLOW_MS);
  const answer = await act();
  state.save();
  return faults.applies('drop_after_capture', operation) ? null : answer;
}
