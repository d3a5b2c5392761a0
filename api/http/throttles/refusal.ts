import { type Refusal, refuse } from '../../../models/errors.js';
import { countThrottled } from '../metrics.js';
import type { ThrottleScope } from './scopes.js';

/**
 * Returns the refusal (429) for an exhausted budget, and counts it in the metrics.
 * @param secondsLeft seconds until the window of the budget ends
 */
export function throttledIn(scope: ThrottleScope, secondsLeft: number): Refusal {
  countThrottled(scope);
  const seconds = Math.max(1, Math.ceil(secondsLeft));
  const detail = `Too many requests. Try again in ${formatWait(seconds)}.`;
  return refuse.throttled(detail, undefined, { 'Retry-After': String(seconds) });
}

function formatWait(seconds: number): string {
  if (seconds < 120) return seconds === 1 ? '1 second' : `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}
