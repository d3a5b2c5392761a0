/** Compares the push records with the pushes that reached the phones. */
import type { Books } from '../books.js';
import type { Phones } from '../phones.js';
import type { Finding } from './finding.js';

/** Checks all rules about pushes. @throws Error when a part is down */
export async function soundPushes(books: Books, phones: Phones): Promise<Finding[]> {
  // Pushes are read before their records, and again after them: the platform may still push.
  const arrived = await phones.arrivals();
  const records = await books.read<{ id: string; outcome: string | null }>(
    `SELECT id, outcome FROM push_delivery_records WHERE platform = 'ios'`,
  );
  const known = new Set(records.map(({ id }) => id));
  const reached = new Set((await phones.arrivals()).map(({ id }) => id));
  return [
    {
      name: 'every push was recorded before it was sent',
      examined: arrived.length,
      violations: arrived.filter(({ id }) => !known.has(id)),
    },
    {
      name: 'every push recorded as successful reached a phone',
      examined: records.length,
      violations: records.filter(({ id, outcome }) => outcome === 'success' && !reached.has(id)),
    },
  ];
}
