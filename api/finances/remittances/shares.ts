/** What each invoice is to get: by amounts, or, for officers who do not see amounts, by what is due. */
import { invalid, refuse } from '../../../models/errors.js';
import type { AllocationInput, ShareInput } from '../../../models/finances/remittances/allocations.js';
import type { Actor } from '../../../models/identity/Actor.js';
import { readsAmounts } from '../amounts.js';

interface GivenShare {
  invoice: string;
  amount_cents?: number | undefined;
}

const HIDDEN = 'Amounts are not shown to officers here: leave this out, and what is due counts.';

/**
 * Whoever does not see amounts sends none: 'more than is due' would tell a balance in a few tries.
 * @throws Refusal validation_error with `allocations.<n>.amount_cents`
 */
export async function sharesOf(actor: Actor, chapter: string, allocations: GivenShare[]): Promise<ShareInput[]> {
  const hidden = !(await readsAmounts(actor, { chapter_id: chapter }));
  const wrong = allocations.flatMap(({ amount_cents }, index) =>
    (amount_cents === undefined) === hidden
      ? []
      : [[`allocations.${index}.amount_cents`, [hidden ? HIDDEN : 'Required.']] as [string, string[]]],
  );
  if (wrong.length > 0) throw refuse.validation_error(undefined, Object.fromEntries(wrong));
  return allocations.map(({ invoice, amount_cents = null }) => ({ invoice, amount_cents }));
}

/**
 * The same for money that was captured: in a few tries of what it comes to, balances would be told too.
 * @throws Refusal validation_error, also with `proposal_hash`
 */
export async function sharesToPlace(
  actor: Actor,
  chapter: string,
  allocations: GivenShare[],
): Promise<AllocationInput[]> {
  if (!(await readsAmounts(actor, { chapter_id: chapter }))) throw invalid('proposal_hash', ONLY_PROPOSED);
  return (await sharesOf(actor, chapter, allocations)) as AllocationInput[];
}

const ONLY_PROPOSED = 'Amounts are not shown to officers here: take the repair proposal by its hash.';
