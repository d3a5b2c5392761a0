/** Describes what a process waits for, in the terms of its kind. */
import type { DescribedExecution, PendingStep } from '../../gateways/temporal/processes/describe.js';
import { isServed } from '../../gateways/temporal/processes/workers.js';
import type { ProcessFacts } from '../../workflows/contracts/index.js';

export interface WaitingFor {
  code: 'start' | 'worker' | 'release' | 'step' | 'next_attempt' | 'time' | 'process';
  detail: string;
  /** When the process continues by itself, if known. */
  until: Date | null;
}

const waitFor = (code: WaitingFor['code'], detail: string, until: Date | null = null): WaitingFor => ({
  code,
  detail: `Waits for ${detail}.`,
  until,
});

/** Describes the wait of a process that has not been handed over to Temporal yet. */
export const waitsForStart = (notBefore: Date | null): WaitingFor =>
  waitFor('start', 'its start: it is recorded, and starts as soon as Temporal accepts it', notBefore);

/** Describes the wait of a lost process: its row is pending, but it no longer runs. */
export const waitsForRecovery = (): WaitingFor =>
  waitFor('start', 'its start: its row is pending and no process runs for it; it is started again within minutes');

/** Returns the pending step with the most attempts. */
export const failingStep = ({ steps }: DescribedExecution): PendingStep | undefined =>
  steps.toSorted((a, b) => b.attempt - a.attempt)[0];

/**
 * Describes what a running process waits for.
 * @param sleepingUntil when its timer fires, if one runs
 * @returns null for a process that has ended
 */
export async function waitingFor(
  { steps: words, sleepsUntil, taskQueue: queue }: ProcessFacts,
  execution: DescribedExecution,
  sleepingUntil: Date | null | undefined,
): Promise<WaitingFor | null> {
  if (execution.status !== 'running') return null;
  const step = failingStep(execution);
  if (step) {
    const stepDescription = words[step.name] ?? 'a step to be done';
    if (step.nextAttemptAt && step.nextAttemptAt.getTime() > Date.now())
      return waitFor(
        'next_attempt',
        `${stepDescription}: tried ${step.attempt - 1 === 1 ? 'once' : `${step.attempt - 1} times`} so far; the next attempt follows after a delay`,
        step.nextAttemptAt,
      );
    if (step.running || (await isServed(execution.taskQueue, 'steps'))) return waitFor('step', stepDescription);
    return waitForWorker(queue);
  }
  if (execution.decisionAttempt !== null) {
    if (execution.decisionAttempt > 1) return waitFor('release', 'a release of the worker that can carry it on');
    return (await isServed(execution.taskQueue, 'decisions')) ? waitFor('worker', 'its turn') : waitForWorker(queue);
  }
  if (sleepingUntil) return waitFor('time', sleepsUntil ?? 'a set time to pass', sleepingUntil);
  return waitFor('process', 'another process to begin');
}

const waitForWorker = (queue: string): WaitingFor =>
  waitFor('worker', `a worker: none has polled the task queue "${queue}" for over a minute`);
