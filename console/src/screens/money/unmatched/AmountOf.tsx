import { Cents } from '../../../parts/Cents';
import { InCurrency } from '../../../parts/InCurrency';
import type { Unmatched } from './queries';

/** An amount of a payment, in its own currency where that is known. */
export const AmountOf = ({ payment: { currency }, cents }: { payment: Unmatched; cents: number }) =>
  currency ? <Cents cents={cents} currency={currency} /> : <InCurrency cents={cents} />;
