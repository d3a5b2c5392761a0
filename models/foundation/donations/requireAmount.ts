import { invalid } from '../../errors.js';
import type { Provider } from '../../finances/payment-processors/vocabulary.js';
import { lowestAmountCents } from './campaignTerms.js';
import { feeCentsOf } from './fees.js';

/** The limits of the amount of a gift, in cents. The provider has a minimum of its own. */
export interface AmountTerms {
  min_amount_cents: number;
  max_amount_cents: number;
  provider: Provider;
}

/** Checks the amount of a gift. @returns its fee in cents. @throws Refusal validation_error */
export function requireAmount(amountCents: number, terms: AmountTerms): number {
  const lowestCents = lowestAmountCents(terms.min_amount_cents, terms.provider);
  if (amountCents < lowestCents) throw invalid('amount_cents', `Must be at least ${lowestCents}.`);
  if (amountCents > terms.max_amount_cents) throw invalid('amount_cents', `Must be at most ${terms.max_amount_cents}.`);
  const feeCents = feeCentsOf(amountCents);
  if (amountCents - feeCents < 1)
    throw invalid('amount_cents', 'Nothing would remain after the fee. Send a larger amount.');
  return feeCents;
}
