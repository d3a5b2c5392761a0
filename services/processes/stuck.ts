import type { DescribedExecution } from '../../gateways/temporal/processes/describe.js';
import { STUCK_ATTEMPTS } from '../../models/processes/waiting.js';
import type { ProcessFacts } from '../../workflows/contracts/index.js';

/** `no_process`: a row is pending, but no process runs for it. */
export type StuckReason = 'attempts' | 'age' | 'no_process';

/**
 * Returns why a process is stuck: a step is on its 5th attempt or later, the process runs longer than its kind is
 * expected to, or its row is overdue. Null when it is not stuck.
 * @param isOverdue whether the row that the process follows is overdue
 */
export function stuckReason(
  { expectedMinutes }: ProcessFacts,
  { status, steps, decisionAttempt, firstStartedAt }: DescribedExecution,
  isOverdue: boolean,
  now = Date.now(),
): StuckReason | null {
  if (status !== 'running') return null;
  const attempts = Math.max(decisionAttempt ?? 0, ...steps.map(({ attempt }) => attempt));
  if (attempts >= STUCK_ATTEMPTS) return 'attempts';
  const isOld = expectedMinutes !== null && firstStartedAt.getTime() + expectedMinutes * 60_000 < now;
  return isOld || isOverdue ? 'age' : null;
}
