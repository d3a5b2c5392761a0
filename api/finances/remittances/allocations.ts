/** Allocations of a request: by amounts or, for officers who do not see amounts, by balances due. */
import { invalid, refuse } from '../../../models/errors.js';
import type { AllocationInput, RequestedAllocation } from '../../../models/finances/remittances/allocations.js';
import type { Actor } from '../../../models/identity/Actor.js';
import { readsAmounts } from '../amounts.js';

interface AllocationBody {
  invoice: string;
  amount_cents?: number | undefined;
}

const HIDDEN = 'Amounts are not shown to officers here. Leave this out to use the balance due.';

/**
 * Returns the allocations. An actor who does not see amounts must not send any: the error for an amount above the
 * balance would disclose the balance in a few tries.
 * @throws Refusal validation_error with `allocations.<n>.amount_cents`
 */
export async function toAllocations(
  actor: Actor,
  chapter: string,
  allocations: AllocationBody[],
): Promise<RequestedAllocation[]> {
  const hidden = !(await readsAmounts(actor, { chapter_id: chapter }));
  const problems = allocations.flatMap(({ amount_cents }, index) =>
    (amount_cents === undefined) === hidden
      ? []
      : [[`allocations.${index}.amount_cents`, [hidden ? HIDDEN : 'Required.']] as [string, string[]]],
  );
  if (problems.length > 0) throw refuse.validation_error(undefined, Object.fromEntries(problems));
  return allocations.map(({ invoice, amount_cents = null }) => ({ invoice, amount_cents }));
}

/**
 * Returns the allocations of captured money. An actor who does not see amounts must use the proposal: if they could
 * enter amounts of their choice, they would learn the balances in a few tries.
 * @throws Refusal validation_error, also with `proposal_hash`
 */
export async function toCapturedAllocations(
  actor: Actor,
  chapter: string,
  allocations: AllocationBody[],
): Promise<AllocationInput[]> {
  if (!(await readsAmounts(actor, { chapter_id: chapter }))) throw invalid('proposal_hash', PROPOSAL_REQUIRED);
  return (await toAllocations(actor, chapter, allocations)) as AllocationInput[];
}

const PROPOSAL_REQUIRED =
  'Officers of this organization do not see amounts. Leave out `allocations` and send the `proposal_hash` of the proposal.';
