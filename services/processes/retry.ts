/** Retries a process: its pending step, the step at which it ended, or its start if that has not succeeded. */
import { isAlreadyExists, isImpossible } from '../../gateways/temporal/processes/callTemporal.js';
import { resetStep, resumeRun, startAgain } from '../../gateways/temporal/processes/commands.js';
import {
  type DescribedExecution,
  describeExecution,
  type PendingStep,
} from '../../gateways/temporal/processes/describe.js';
import { hasCompletedStepAfter } from '../../gateways/temporal/processes/runState.js';
import { readHistory } from '../../gateways/temporal/processes/history.js';
import { startMessage } from '../../gateways/temporal/startProcess.js';
import { dispatchWritten } from '../../models/database/outbox.js';
import { processErrors } from '../../models/processes/errors.js';
import type { WaitingProcess } from '../../models/processes/waiting.js';
import { processByName } from '../../workflows/contracts/index.js';
import type { ProcessInput } from '../../workflows/contracts/process.js';
import { hasFailed } from './actions.js';
import { watchEffect } from './effect.js';
import type { ProcessDetails } from './details.js';

export const RETRY_OUTCOMES = [
  'completed',
  'progressed',
  'attempted_and_failed',
  'attempting',
  'not_attempted_yet',
  'unknown',
] as const;

export type RetryOutcome = (typeof RETRY_OUTCOMES)[number];

export const RETRY_DETAILS: Readonly<Record<RetryOutcome, string>> = {
  completed: 'The retry succeeded, and the process is complete.',
  progressed: 'The retry succeeded, and the process continues.',
  attempted_and_failed: 'The retry failed.',
  attempting: 'The retry is running. Check again shortly.',
  not_attempted_yet: 'The retry is scheduled, but no worker has started it yet.',
  unknown: 'The retry was requested, but its effect cannot be observed right now. Check again shortly.',
};

/** Retries a process and returns the outcome observed within a few seconds. */
export async function retry(
  { process, history, ending }: ProcessDetails,
  requestId: string | null,
): Promise<RetryOutcome> {
  if (process.waiting) return startNow(process.waiting, requestId);
  const { execution, facts, intent } = process;
  if (execution.status === 'running') return retrySteps(execution);
  const input = intent?.input ?? history?.input ?? null;
  const run = await runAgain(execution, facts.name, ending?.resumeAt ?? null, input, requestId);
  return watchRun(execution.workflowId, run, ending?.resumeAt ?? 0);
}

/**
 * Starts a new run of a process that has ended.
 * @throws Refusal process_changed when Temporal no longer has the data that a new run needs
 */
async function runAgain(
  execution: DescribedExecution,
  name: string,
  resumeAt: number | null,
  input: Record<string, unknown> | null,
  requestId: string | null,
): Promise<string> {
  try {
    if (resumeAt !== null) return await resumeRun(execution, resumeAt);
    if (input !== null) return await startAgain(processByName(name), input as unknown as ProcessInput, requestId);
  } catch (error) {
    if (!isImpossible(error)) throw error;
  }
  throw processErrors.process_changed();
}

async function startNow(
  { id, name, workflowId, input }: WaitingProcess,
  requestId: string | null,
): Promise<RetryOutcome> {
  if (id !== null) await dispatchWritten([id], startMessage);
  else await startLostProcess(name, input, requestId);
  return watchEffect<RetryOutcome>(
    workflowId,
    (now) => (now === null ? null : now.status === 'completed' ? 'completed' : 'progressed'),
    () => 'attempted_and_failed',
  );
}

async function startLostProcess(name: string, input: Record<string, string>, requestId: string | null): Promise<void> {
  await startAgain(processByName(name), input as unknown as ProcessInput, requestId).catch((error: unknown) => {
    // Ignored: automatic recovery, or another administrator, has already started the process.
    if (!isAlreadyExists(error)) throw error;
  });
}

async function retrySteps(before: DescribedExecution): Promise<RetryOutcome> {
  const failed = before.steps.filter(hasFailed);
  // Temporal discards the result of a running attempt if its step is reset; the step would then wait for its timeout.
  const current = await describeExecution(before.workflowId);
  const running = new Set(current?.steps.filter((step) => step.running).map(({ id }) => id));
  for (const { id } of failed) {
    if (running.has(id)) continue;
    await resetStep(before, id).catch((error: unknown) => {
      // The step completed or started again between the look-up and the reset; the code below observes the effect.
      if (!isImpossible(error)) throw error;
    });
  }
  return watchEffect<RetryOutcome>(
    before.workflowId,
    (now) => effectOnSteps(failed, now),
    (now) => {
      if (hasCompleted(failed, now)) return 'progressed';
      return now?.steps.some(({ running }) => running) ? 'attempting' : 'not_attempted_yet';
    },
  );
}

/** Determines the effect of a retry of failed steps. @returns null while it is too early to say */
function effectOnSteps(failed: PendingStep[], now: DescribedExecution | null): RetryOutcome | null {
  if (now === null) return 'unknown';
  if (now.status === 'completed') return 'completed';
  if (now.status !== 'running') return 'attempted_and_failed';
  // While a workflow task or a further step is pending, the process may still complete.
  if (hasCompleted(failed, now)) return now.decisionAttempt === null && now.steps.length === 0 ? 'progressed' : null;
  const hasRetried = failed.some((before) => lastAttemptEnd(sameStep(before, now)) > lastAttemptEnd(before));
  return hasRetried ? 'attempted_and_failed' : null;
}

/** Whether at least one of the steps is not pending any more. */
const hasCompleted = (failed: PendingStep[], now: DescribedExecution | null): boolean =>
  now !== null && failed.some((before) => sameStep(before, now) === undefined);

const sameStep = ({ id }: PendingStep, now: DescribedExecution): PendingStep | undefined =>
  now.steps.find((step) => step.id === id);

const lastAttemptEnd = (step: PendingStep | undefined): number => step?.lastAttemptEndedAt?.getTime() ?? 0;

/**
 * Watches a new run for a few seconds and returns its outcome so far.
 * @param since id of the event after which the new run differs from the old one
 */
async function watchRun(workflowId: string, runId: string, since: number): Promise<RetryOutcome> {
  const outcome = await watchEffect<RetryOutcome | 'pending'>(
    workflowId,
    (now) => {
      if (now?.runId !== runId) return null;
      if (now.status === 'completed') return 'completed';
      return now.status !== 'running' || now.steps.some(hasFailed) ? 'attempted_and_failed' : null;
    },
    () => 'pending',
  );
  if (outcome !== 'pending') return outcome;
  const { events } = await readHistory(workflowId, runId);
  if (hasCompletedStepAfter(events, since)) return 'progressed';
  const decided = events.some((event) => Number(event.eventId) > since && event.workflowTaskCompletedEventAttributes);
  return decided ? 'attempting' : 'not_attempted_yet';
}
