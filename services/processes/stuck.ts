import type { DescribedExecution } from '../../gateways/temporal/processes/describe.js';
import type { StuckReason } from '../../models/processes/incidents.js';
import { STUCK_ATTEMPTS } from '../../models/processes/waiting.js';
import type { ProcessFacts } from '../../workflows/contracts/index.js';

interface KnownFacts {
  /** Whether the row that the process follows is overdue. */
  isOverdue?: boolean;
  /** The reason that is on record; null when there is none. */
  recorded?: StuckReason | null;
}

/**
 * Returns why a running process is stuck: a step is on its 5th attempt or later, its code fails, it runs longer than
 * its kind is expected to, or its row is overdue. Null when it is not stuck.
 */
export function stuckReason(
  { expectedMinutes }: ProcessFacts,
  { status, steps, decisionAttempt, firstStartedAt }: DescribedExecution,
  { isOverdue = false, recorded = null }: KnownFacts = {},
  now = Date.now(),
): StuckReason | null {
  if (status !== 'running') return null;
  if (steps.some(({ attempt }) => attempt >= STUCK_ATTEMPTS)) return 'attempts';
  // A worker reports an error of the code at once. Other failures of workflow tasks, for example a lost worker, count
  // from the 5th attempt on.
  const minimum = recorded === 'task_failed' ? 2 : STUCK_ATTEMPTS;
  if (decisionAttempt !== null && decisionAttempt >= minimum) return 'task_failed';
  const isOld = expectedMinutes !== null && firstStartedAt.getTime() + expectedMinutes * 60_000 < now;
  return isOld || isOverdue ? 'age' : null;
}
