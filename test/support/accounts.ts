/** A member's account in the API's list and in a printed statement, to compare the two. */
import { readLedger } from '../../models/finances/accounts/readLedger.js';
import { readStatement } from '../../models/finances/ledger/readStatement.js';

export interface Told {
  kind: string;
  cents: number;
  credit: number;
  day: string;
}

const sum = (numbers: number[]): number => numbers.reduce((total, n) => total + n, 0);
/** Facts that the list shows as one and the statement as several: a fee, and a reduction and its reversal. */
const BILLED = ['invoice', 'fee', 'discount', 'adjustment'];
const BACK: Record<string, string> = { refund: 'refund_failed', dispute: 'dispute_reinstated' };

const inOrder = (entries: Told[]): Told[] =>
  entries
    .filter(({ kind }) => !BILLED.includes(kind))
    .sort((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));

/**
 * Reads both, within the tenant.
 * @returns each without bills, and the sum of bills, by day of the time zone
 */
export async function bothAccounts(membershipId: string, zone: string) {
  const [ledger, statement] = [
    await readLedger(membershipId, { page: 1, pageSize: 10_000 }),
    await readStatement('member', membershipId, {}, 10_000),
  ];
  const dayOf = new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' });
  const listed = ledger.results
    .filter(({ kind }) => kind !== 'plan')
    .map(({ kind, amount_cents: cents, credit_cents: credit, occurred_at }) => ({
      kind: (cents < 0 && BACK[kind]) || kind,
      cents,
      credit,
      day: dayOf.format(new Date(occurred_at)),
    }));
  const printed = statement.entries.map(({ kind, effect_cents: cents, credit_cents: credit, day }) => ({
    kind,
    cents,
    credit,
    day,
  }));
  const facts = (entries: Told[], due: number, available: number) => ({
    entries: inOrder(entries),
    billed: sum(entries.filter(({ kind }) => BILLED.includes(kind)).map(({ cents }) => cents)),
    due,
    available,
  });
  return {
    listed: facts(listed, ledger.balance_due_cents, ledger.available_credit_cents),
    printed: facts(printed, statement.closing_balance_cents, statement.available_credit_cents),
  };
}
