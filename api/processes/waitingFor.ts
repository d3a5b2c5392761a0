/** What a process waits for at this moment, in the words of its kind. */
import type { DescribedExecution, PendingStep } from '../../gateways/temporal/processes/describe.js';
import { isServed } from '../../gateways/temporal/processes/workers.js';
import type { ProcessFacts } from '../../workflows/contracts/index.js';

export interface WaitingFor {
  code: 'start' | 'worker' | 'release' | 'step' | 'next_attempt' | 'time' | 'process';
  detail: string;
  /** When it goes on by itself, where that is known. */
  until: Date | null;
}

const found = (code: WaitingFor['code'], detail: string, until: Date | null = null): WaitingFor => ({
  code,
  detail: `Waits for ${detail}.`,
  until,
});

/** An intent that was not handed over yet. */
export const waitsForStart = (notBefore: Date | null): WaitingFor =>
  found('start', 'its start: it is written down, and handed over as soon as Temporal takes it', notBefore);

/** A row whose process is gone. */
export const waitsForRecovery = (): WaitingFor =>
  found('start', 'its start: its row is not done and no process runs, so that it is started again within minutes');

/** The step that is furthest from being done. */
export const troubledStep = ({ steps }: DescribedExecution): PendingStep | undefined =>
  steps.toSorted((a, b) => b.attempt - a.attempt)[0];

/** @param sleepingUntil when its timer ends, if one runs. @returns null for what is over */
export async function waitingFor(
  { steps: words, sleepsUntil, taskQueue: queue }: ProcessFacts,
  execution: DescribedExecution,
  sleepingUntil: Date | null | undefined,
): Promise<WaitingFor | null> {
  if (execution.status !== 'running') return null;
  const step = troubledStep(execution);
  if (step) {
    const what = words[step.name] ?? 'a step to be done';
    if (step.nextAttemptAt && step.nextAttemptAt.getTime() > Date.now())
      return found(
        'next_attempt',
        `${what}: tried ${step.attempt - 1 === 1 ? 'once' : `${step.attempt - 1} times`}, and again when it is time`,
        step.nextAttemptAt,
      );
    if (step.running || (await isServed(execution.taskQueue, 'steps'))) return found('step', what);
    return nobodyServes(queue);
  }
  if (execution.decisionAttempt !== null) {
    if (execution.decisionAttempt > 1) return found('release', 'a release of the worker that can carry it on');
    return (await isServed(execution.taskQueue, 'decisions')) ? found('worker', 'its turn') : nobodyServes(queue);
  }
  if (sleepingUntil) return found('time', sleepsUntil ?? 'a set time to pass', sleepingUntil);
  return found('process', 'another process to begin');
}

const nobodyServes = (queue: string): WaitingFor =>
  found('worker', `a worker: none has asked for work of the queue "${queue}" for over a minute`);
