import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import { formatCents } from '../../../parts/Cents';
import type { Proposal } from '../queries';

/** How the waiting money is divided. Nothing is shown to readers who see no amounts. */
export function Sums({ proposal, currency }: { proposal: Proposal; currency: string }) {
  const { waiting_cents, placed_cents, unplaced_cents, refunding_cents } = proposal;
  const sums: [string, number | null][] = [
    ['Waiting', waiting_cents],
    ['Placed on invoices', placed_cents],
    ['Remains: no invoice can take it', unplaced_cents],
    ['Being refunded', refunding_cents],
  ];
  const items = sums.flatMap(([label, cents]) =>
    cents === null ? [] : [{ label, value: formatCents(cents, currency) }],
  );
  return items.length > 0 && <KeyValuePairs columns={4} items={items} />;
}
