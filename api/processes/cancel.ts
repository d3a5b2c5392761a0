/** Ending a process before its time: asked for under its rows, carried out by its own story, and looked at afterwards. */
import { isImpossible } from '../../gateways/temporal/processes/ask.js';
import { requestCancel } from '../../gateways/temporal/processes/commands.js';
import type { DescribedExecution } from '../../gateways/temporal/processes/describe.js';
import { processErrors } from '../../models/processes/errors.js';
import { watchEffect } from './effect.js';
import type { CANCEL_OUTCOMES } from './schema.js';

export type CancelOutcome = (typeof CANCEL_OUTCOMES)[number];

export const CANCEL_WORDS: Readonly<Record<CancelOutcome, string>> = {
  cancelled: 'It is cancelled.',
  cancelling: 'It was asked to end, and does so when a worker comes to it.',
  unknown: 'It was asked to end, but its effect cannot be seen right now; look again shortly.',
};

/** @throws Refusal process_finished, money_may_have_moved when the process was quicker */
export async function cancelRunning(
  before: DescribedExecution,
  lastStages: readonly string[] | null,
): Promise<CancelOutcome> {
  await requestCancel(before).catch((error: unknown) => {
    // It ended between the look and the request: what follows sees how.
    if (!isImpossible(error)) throw error;
  });
  const outcome = await watchEffect<CancelOutcome | 'finished' | 'too_late'>(
    before.workflowId,
    (now) => {
      if (now === null) return 'unknown';
      if (now.status === 'cancelled') return 'cancelled';
      if (now.status !== 'running') return 'finished';
      return lastStages && now.stage !== null && !lastStages.includes(now.stage) ? 'too_late' : null;
    },
    () => 'cancelling',
  );
  if (outcome === 'finished') throw processErrors.process_finished('The process ended before it could be cancelled.');
  if (outcome === 'too_late') throw processErrors.money_may_have_moved();
  return outcome;
}
