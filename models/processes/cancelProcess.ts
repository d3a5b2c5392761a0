/** Applies the cancellation of a process to the rows on which the process works. */
import { recordCancelledIntent, cancelPendingIntent } from '../database/cancelIntent.js';
import { processErrors } from './errors.js';
import { type ProcessInput, rowPartOf } from './rowParts.js';
import type { WaitingProcess } from './waiting.js';

/**
 * Prepares the rows of a running process before the process is asked to end.
 * @throws Refusal money_may_have_moved
 */
export async function beforeCancel(name: string, input: ProcessInput | null): Promise<void> {
  const prepareCancellation = rowPartOf(name)?.beforeCancel;
  if (prepareCancellation && !(input && (await prepareCancellation(input)))) throw processErrors.money_may_have_moved();
}

/**
 * Cancels a process that waits to be started: its intent was not dispatched yet, or Temporal no longer knows the
 * process. If the process is being started at the same moment, it finds its rows cancelled and does nothing.
 * @returns false when the intent was dispatched in the meantime
 * @throws Refusal money_may_have_moved
 */
export async function cancelWaitingProcess(waiting: WaitingProcess): Promise<boolean> {
  const cancelRows = rowPartOf(waiting.name)?.insteadOfStart;
  if (
    !(waiting.id === null
      ? cancelRows && (await recordCancelledIntent(waiting))
      : await cancelPendingIntent(waiting.id, waiting.organizationId))
  )
    return false;
  if (cancelRows && !(await cancelRows(waiting.input))) throw processErrors.money_may_have_moved();
  return true;
}
