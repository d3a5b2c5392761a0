/** Trying again: the step that waits, the step at which a process ended, or the start that was not made yet. */
import { isAlreadyThere, isImpossible } from '../../gateways/temporal/processes/ask.js';
import { resetStep, resumeRun, startAgain } from '../../gateways/temporal/processes/commands.js';
import type { DescribedExecution } from '../../gateways/temporal/processes/describe.js';
import { completedAStepAfter } from '../../gateways/temporal/processes/ending.js';
import { readHistory } from '../../gateways/temporal/processes/history.js';
import { startMessage } from '../../gateways/temporal/startProcess.js';
import { dispatchWritten } from '../../models/database/outbox.js';
import { processErrors } from '../../models/processes/errors.js';
import type { WaitingProcess } from '../../models/processes/waiting.js';
import { processByName } from '../../workflows/contracts/index.js';
import type { ProcessInput } from '../../workflows/contracts/process.js';
import { hasFailed } from './actions.js';
import { watchEffect } from './effect.js';
import type { RETRY_OUTCOMES } from './schema.js';
import type { Story } from './story.js';

export type RetryOutcome = (typeof RETRY_OUTCOMES)[number];

export const RETRY_WORDS: Readonly<Record<RetryOutcome, string>> = {
  completed: 'It was tried again, and the process is complete.',
  progressed: 'It was tried again, and the process went on.',
  attempted_and_failed: 'It was tried again, and failed again.',
  attempting: 'It is being tried again at this moment; look again shortly.',
  not_attempted_yet: 'It is to be tried again, but nobody has come to it yet.',
  unknown: 'It was asked for, but its effect cannot be seen right now; look again shortly.',
};

/** @returns what was seen to happen within a few seconds */
export async function retry({ process, history, ending }: Story, requestId: string): Promise<RetryOutcome> {
  if (process.waiting) return startNow(process.waiting, requestId);
  const { execution, facts, intent } = process;
  if (execution.status === 'running') return tryStepsAgain(execution);
  const input = intent?.input ?? history?.input ?? null;
  const run = await runAgain(execution, facts.name, ending?.resumeAt ?? null, input, requestId);
  return watchRun(execution.workflowId, run, ending?.resumeAt ?? 0);
}

/** @throws Refusal process_changed when Temporal does not hold any more what is needed for it */
async function runAgain(
  execution: DescribedExecution,
  name: string,
  resumeAt: number | null,
  input: Record<string, unknown> | null,
  requestId: string,
): Promise<string> {
  try {
    if (resumeAt !== null) return await resumeRun(execution, resumeAt);
    if (input !== null) return await startAgain(processByName(name), input as unknown as ProcessInput, requestId);
  } catch (error) {
    if (!isImpossible(error)) throw error;
  }
  throw processErrors.process_changed();
}

/** A step done is soon followed by the next: a process that is about to end is told as ended. */
const FOLLOW_MS = 1_500;

const follow = (workflowId: string): Promise<RetryOutcome> =>
  watchEffect<RetryOutcome>(
    workflowId,
    (now) => (now?.status === 'completed' ? 'completed' : null),
    () => 'progressed',
    FOLLOW_MS,
  );

async function startNow({ id, name, workflowId, input }: WaitingProcess, requestId: string): Promise<RetryOutcome> {
  if (id !== null) await dispatchWritten([id], startMessage);
  else await startForgotten(name, input, requestId);
  return watchEffect<RetryOutcome>(
    workflowId,
    (now) => (now === null ? null : now.status === 'completed' ? 'completed' : 'progressed'),
    () => 'attempted_and_failed',
  );
}

async function startForgotten(name: string, input: Record<string, string>, requestId: string): Promise<void> {
  await startAgain(processByName(name), input as unknown as ProcessInput, requestId).catch((error: unknown) => {
    // Recovery, or somebody else, was quicker.
    if (!isAlreadyThere(error)) throw error;
  });
}

async function tryStepsAgain(before: DescribedExecution): Promise<RetryOutcome> {
  const failed = before.steps.filter(hasFailed);
  for (const { id } of failed) {
    await resetStep(before, id).catch((error: unknown) => {
      // It was done, or has begun anew, between the look and the request: the effect below tells.
      if (!isImpossible(error)) throw error;
    });
  }
  const outcome = await watchEffect<RetryOutcome>(
    before.workflowId,
    (now) => effectOnSteps(failed, now),
    (now) => (now?.steps.some(({ running }) => running) ? 'attempting' : 'not_attempted_yet'),
  );
  return outcome === 'progressed' ? follow(before.workflowId) : outcome;
}

function effectOnSteps(failed: DescribedExecution['steps'], now: DescribedExecution | null): RetryOutcome | null {
  if (now === null) return 'unknown';
  if (now.status === 'completed') return 'completed';
  if (now.status !== 'running') return 'attempted_and_failed';
  const pending = failed.map((before) => ({ before, after: now.steps.find(({ id }) => id === before.id) }));
  if (pending.some(({ after }) => after === undefined)) return 'progressed';
  const triedSince = pending.some(({ before, after }) => ended(after) > ended(before));
  return triedSince ? 'attempted_and_failed' : null;
}

const ended = (step: DescribedExecution['steps'][number] | undefined): number =>
  step?.lastAttemptEndedAt?.getTime() ?? 0;

/** @param since the event from which on the new run goes its own way */
async function watchRun(workflowId: string, runId: string, since: number): Promise<RetryOutcome> {
  const outcome = await watchEffect<RetryOutcome | 'under_way'>(
    workflowId,
    (now) => {
      if (now?.runId !== runId) return null;
      if (now.status === 'completed') return 'completed';
      return now.status !== 'running' || now.steps.some(hasFailed) ? 'attempted_and_failed' : null;
    },
    () => 'under_way',
  );
  if (outcome !== 'under_way') return outcome;
  const { events } = await readHistory(workflowId, runId);
  if (completedAStepAfter(events, since)) return 'progressed';
  const decided = events.some((event) => Number(event.eventId) > since && event.workflowTaskCompletedEventAttributes);
  return decided ? 'attempting' : 'not_attempted_yet';
}
