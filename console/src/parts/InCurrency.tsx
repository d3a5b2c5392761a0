import { Cents } from './Cents';
import { useCurrency } from './useCurrency';

/** An amount in the organization's currency. */
export function InCurrency({ cents }: { cents: number | null }) {
  const currency = useCurrency();
  return currency && <Cents cents={cents} currency={currency} />;
}
