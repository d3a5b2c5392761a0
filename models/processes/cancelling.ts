/** What a cancellation means to the rows that a process is about. */
import { keepCancelled, takeBack } from '../database/cancelIntent.js';
import { processErrors } from './errors.js';
import { type GivenInput, rowPartOf } from './rowParts.js';
import type { WaitingProcess } from './waiting.js';

/** Before a running process is asked to end. @throws Refusal money_may_have_moved */
export async function beforeCancel(name: string, input: GivenInput | null): Promise<void> {
  const mayEnd = rowPartOf(name)?.beforeCancel;
  if (mayEnd && !(input && (await mayEnd(input)))) throw processErrors.money_may_have_moved();
}

/**
 * Takes back an intent that was not handed over, or whose process is forgotten. Should somebody be starting it at this
 * moment, its process finds its rows ended, and does nothing.
 * @returns false when it was handed over meanwhile
 * @throws Refusal money_may_have_moved
 */
export async function cancelWaiting(waiting: WaitingProcess): Promise<boolean> {
  const end = rowPartOf(waiting.name)?.insteadOfStart;
  if (
    !(waiting.id === null ? end && (await keepCancelled(waiting)) : await takeBack(waiting.id, waiting.organizationId))
  )
    return false;
  if (end && !(await end(waiting.input))) throw processErrors.money_may_have_moved();
  return true;
}
