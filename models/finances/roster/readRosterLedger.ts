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

/** Fixed descriptions that replace free text. */
const FIXED_DESCRIPTIONS: Partial<Record<Kind, string>> = {
  discount: 'Adjustment',
  credit_issued: 'Credit',
  credit_applied: 'Credit applied',
  credit_refunded: 'Credit paid out',
  credit_reversed: 'Credit entry reversed',
  credit_shortfall: 'Credit shortfall',
  credit_recovered: 'Credit shortfall covered',
};

const toRosterEntry = (entry: LedgerEntry): RosterLedgerEntry => ({
  ...entry,
  kind: entry.kind === 'discount' ? 'adjustment' : entry.kind,
  description: FIXED_DESCRIPTIONS[entry.kind] ?? entry.description,
});

/**
 * Reads a member's account as their chapter sees it: discounts without a reason, and credit with fixed descriptions.
 * @param chapters chapters that the reader has access to; null: all
 * @throws Refusal not_found, page_not_found
 */
export async function readRosterLedger(
  membershipId: string,
  chapters: string[] | null,
  page: PageRequest,
): Promise<Omit<MemberLedger, 'results'> & { results: RosterLedgerEntry[] }> {
  const { results, ...account } = await readLedger(membershipId, page, chapters);
  return { ...account, results: results.map(toRosterEntry) };
}
