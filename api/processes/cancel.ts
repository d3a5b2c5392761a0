/** Ending a process before its time: asked for under its rows, carried out by its own story, and looked at afterwards. */
import { isImpossible } from '../../gateways/temporal/processes/ask.js';
import { requestCancel } from '../../gateways/temporal/processes/commands.js';
import type { DescribedExecution } from '../../gateways/temporal/processes/describe.js';
import type { CancelRule } from '../../workflows/contracts/process.js';
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
export async function cancelRunning(before: DescribedExecution, rule: CancelRule): Promise<CancelOutcome> {
  await requestCancel(before).catch((error: unknown) => {
    // It ended between the look and the request: what follows sees how.
    if (!isImpossible(error)) throw error;
  });
  const outcome = await watchEffect<Seen>(
    before.workflowId,
    (now) => seenOf(now, rule),
    () => 'cancelling',
  );
  if (outcome === 'finished') throw processErrors.process_finished('The process ended before it could be cancelled.');
  if (outcome === 'too_late') throw processErrors.money_may_have_moved();
  return outcome;
}

type Seen = CancelOutcome | 'finished' | 'too_late';

/** What became of a process whose rows were called off and that was asked to end; null: it is too early to say. */
export function seenOf(now: Pick<DescribedExecution, 'status' | 'stage'> | null, rule: CancelRule): Seen | null {
  if (now === null) return 'unknown';
  const { status, stage } = now;
  // Its rows were called off: where it found them so before it was asked, it has ended by itself as they say.
  const foundItsRows = status === 'completed' && 'endsAs' in rule && rule.endsAs !== null && rule.endsAs === stage;
  if (status === 'cancelled' || foundItsRows) return 'cancelled';
  if (status !== 'running') return 'finished';
  return rule.when === 'before_money' && stage !== null && !rule.stages.includes(stage) ? 'too_late' : null;
}
