import { type LedgerEntry, LEDGER_KINDS, type MemberLedger, readLedger } from '../accounts/readLedger.js';
import type { PageRequest } from '../../database/page.js';

type Kind = (typeof LEDGER_KINDS)[number];
type RosterKind = Exclude<Kind, 'discount'> | 'adjustment';
export const ROSTER_LEDGER_KINDS = LEDGER_KINDS.map((kind) => (kind === 'discount' ? 'adjustment' : kind)) as [
  RosterKind,
  ...RosterKind[],
];

export interface RosterLedgerEntry extends Omit<LedgerEntry, 'kind'> {
  kind: RosterKind;
}

/** What is said instead of the words that somebody wrote beside it. */
const PHRASES: Partial<Record<Kind, string>> = {
  discount: 'Adjustment',
  credit_issued: 'Credit',
  credit_applied: 'Credit applied',
  credit_refunded: 'Credit paid out',
  credit_reversed: 'Credit entry reversed',
  credit_shortfall: 'Credit that is missing',
  credit_recovered: 'Credit that covers what was missing',
};

const asShown = (entry: LedgerEntry): RosterLedgerEntry => ({
  ...entry,
  kind: entry.kind === 'discount' ? 'adjustment' : entry.kind,
  description: PHRASES[entry.kind] ?? entry.description,
});

/**
 * A member's account as their chapter sees it: what was taken off without a word why, and credit in fixed words.
 * @param chapters that are within reach; null: all
 * @throws Refusal not_found, page_not_found
 */
export async function readRosterLedger(
  membershipId: string,
  chapters: string[] | null,
  page: PageRequest,
): Promise<Omit<MemberLedger, 'results'> & { results: RosterLedgerEntry[] }> {
  const { results, ...account } = await readLedger(membershipId, page, chapters);
  return { ...account, results: results.map(asShown) };
}
