/** What each invoice is to get: by amounts, or, for officers who do not see amounts, by what is due. */
import { invalid, refuse } from '../../../models/errors.js';
import type { AllocationInput, ShareInput } from '../../../models/finances/remittances/allocations.js';
import { officersSeeAmounts } from '../../../models/finances/dues-settings/officersSeeAmounts.js';
import type { Actor } from '../../../models/identity/Actor.js';

interface GivenShare {
  invoice: string;
  amount_cents?: number | undefined;
}

const HIDDEN = 'Amounts are not shown to officers here: leave this out, and what is due counts.';

/**
 * Whoever does not see amounts sends none: 'more than is due' would tell a balance in a few tries.
 * @throws Refusal validation_error with `allocations.<n>.amount_cents`
 */
export async function sharesOf(actor: Actor, allocations: GivenShare[]): Promise<ShareInput[]> {
  const hidden = hidesAmounts(actor, await officersSeeAmounts());
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
export async function sharesToPlace(actor: Actor, allocations: GivenShare[]): Promise<AllocationInput[]> {
  if (hidesAmounts(actor, await officersSeeAmounts())) throw invalid('proposal_hash', ONLY_PROPOSED);
  return (await sharesOf(actor, allocations)) as AllocationInput[];
}

const ONLY_PROPOSED = 'Amounts are not shown to officers here: take the repair proposal by its hash.';

/** Officers see amounts only where their organization lets them; administrators always do. */
export const hidesAmounts = (actor: Actor, officersSee: boolean): boolean => !actor.isNationalAdmin && !officersSee;
