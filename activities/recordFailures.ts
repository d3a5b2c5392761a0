/** Records processes whose steps fail again and again in the list of stuck processes. */
import { activityInfo, ApplicationFailure, CancelledFailure } from '@temporalio/activity';
import { STUCK_ATTEMPTS } from '../models/processes/waiting.js';
import { reportIncident, reportRecovery } from '../services/processes/incidents.js';
import { previousAttempts } from './attempts.js';

/** Number of failed attempts from which the process counts as stuck: the next attempt is the fifth. */
const FAILURES_UNTIL_STUCK = STUCK_ATTEMPTS - 1;

/**
 * Runs a step. Records its process as stuck when the fourth attempt has failed, or at the next start if the worker died
 * before it could; deletes the record when the step succeeds. The first attempts of a step write nothing.
 */
export async function recordFailures<T>(step: () => Promise<T>): Promise<T> {
  const { workflowExecution, isLocal } = activityInfo();
  const failures = previousAttempts();
  if (isLocal || !workflowExecution) return step();
  const isStuck = failures >= FAILURES_UNTIL_STUCK;
  // Runs beside the step, so that a step that hangs is recorded too.
  const report = isStuck ? reportIncident(workflowExecution, 'attempts') : undefined;
  try {
    const result = await step();
    await report;
    if (isStuck) await reportRecovery(workflowExecution);
    return result;
  } catch (error) {
    await report;
    if (failures + 1 === FAILURES_UNTIL_STUCK && isRetried(error)) await reportIncident(workflowExecution, 'attempts');
    throw error;
  }
}

const isRetried = (error: unknown): boolean =>
  !(error instanceof CancelledFailure) && !(error instanceof ApplicationFailure && error.nonRetryable);
