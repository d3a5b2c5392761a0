import type { DescribedExecution } from '../../gateways/temporal/processes/describe.js';
import { STUCK_ATTEMPTS } from '../../models/processes/waiting.js';
import type { ProcessFacts } from '../../workflows/contracts/index.js';

/** `no_process`: a row waits for it, and it does not run. */
export type StuckReason = 'attempts' | 'age' | 'no_process';

/** Why a process counts as stuck: a step on its 5th attempt or later, or longer under way than its kind is expected to be. */
export function stuckReason(
  { expectedMinutes }: ProcessFacts,
  { status, steps, decisionAttempt, firstStartedAt }: DescribedExecution,
  now = Date.now(),
): StuckReason | null {
  if (status !== 'running') return null;
  const attempts = Math.max(decisionAttempt ?? 0, ...steps.map(({ attempt }) => attempt));
  if (attempts >= STUCK_ATTEMPTS) return 'attempts';
  const isOld = expectedMinutes !== null && firstStartedAt.getTime() + expectedMinutes * 60_000 < now;
  return isOld ? 'age' : null;
}
