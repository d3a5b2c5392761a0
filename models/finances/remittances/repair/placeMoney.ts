/**
 * Proposes how to allocate a flagged remittance's captured money, without database access: equal facts give equal
 * proposals. Amounts in cents.
 */

/** An unpaid allocation of the remittance, in the order of creation. */
export interface UnpaidAllocation {
  invoice: string;
  /** The membership that owes the invoice, even if the invoice is void. */
  membership: string;
  amount_cents: number;
}

/** An unpaid invoice of a member of the chapter, which can take money now. */
export interface OpenInvoice {
  id: string;
  membership: string;
  due_date: string;
  balance_cents: number;
}

export const PLACEMENT_REASONS = ['kept', 'shortened', 'replacement', 'same_member', 'other_member'] as const;

/** A part of the money that an invoice takes, and the reason. */
export interface Placement {
  invoice: string;
  membership: string;
  amount_cents: number;
  reason: (typeof PLACEMENT_REASONS)[number];
  /** The invoice that the money was originally allocated to; null: more was captured than was allocated. */
  meant_for: string | null;
  balance_before_cents: number;
  balance_after_cents: number;
}

export interface Placements {
  placements: Placement[];
  /** Amount that no open invoice can take. */
  unplaced_cents: number;
}

interface PlacementInput {
  /** Captured amount of the charge that has not paid any invoice yet. */
  waitingCents: number;
  shares: readonly UnpaidAllocation[];
  open: readonly OpenInvoice[];
  /** Maps an invoice that was voided because its dues were reissued to the invoice that replaces it. */
  replacements: ReadonlyMap<string, string>;
  /** Memberships with allocations in the remittance, including paid ones. */
  members: ReadonlySet<string>;
}

const byDueDate = (a: OpenInvoice, b: OpenInvoice): number =>
  a.due_date === b.due_date ? (a.id < b.id ? -1 : 1) : a.due_date < b.due_date ? -1 : 1;

/**
 * Divides the money among invoices. Valid allocations stay; if the money does not cover them, those due last are
 * shortened first. For a stale allocation, the money goes to the balance of its invoice, then to the invoice that
 * replaces it, then to other invoices of the same member, the oldest due first. Money beyond the allocations goes to
 * other invoices of the same members. The remainder goes to the chapter's oldest invoices, marked `other_member`.
 * Placed and unplaced amounts add up to exactly `waitingCents`.
 */
export function placeMoney({ waitingCents, shares, open, replacements, members }: PlacementInput): Placements {
  const invoices = new Map([...open].sort(byDueDate).map((invoice) => [invoice.id, { ...invoice }]));
  const placements: Placement[] = [];
  let remaining = waitingCents;
  const place = (
    invoiceId: string,
    maxCents: number,
    reason: Placement['reason'],
    meant_for: string | null,
  ): number => {
    const invoice = invoices.get(invoiceId);
    const amount_cents = Math.min(invoice?.balance_cents ?? 0, maxCents, remaining);
    if (!invoice || amount_cents === 0) return 0;
    const balance_before_cents = invoice.balance_cents;
    invoice.balance_cents -= amount_cents;
    remaining -= amount_cents;
    const { membership, balance_cents: balance_after_cents } = invoice;
    placements.push({
      invoice: invoiceId,
      membership,
      amount_cents,
      reason,
      meant_for,
      balance_before_cents,
      balance_after_cents,
    });
    return amount_cents;
  };

  const isValid = ({ invoice, amount_cents }: UnpaidAllocation): boolean =>
    (invoices.get(invoice)?.balance_cents ?? 0) >= amount_cents;
  const valid = shares.filter(isValid);
  // Invoices are in the order of due dates, so that missing money shortens the allocations due last.
  const idsByDueDate = [...invoices.keys()];
  for (const { invoice, amount_cents } of valid.toSorted(
    (a, b) => idsByDueDate.indexOf(a.invoice) - idsByDueDate.indexOf(b.invoice),
  ))
    place(invoice, amount_cents, remaining < amount_cents ? 'shortened' : 'kept', invoice);
  for (const { invoice, membership, amount_cents } of shares.filter((share) => !valid.includes(share))) {
    let missing = amount_cents;
    missing -= place(invoice, missing, 'shortened', invoice);
    missing -= place(replacements.get(invoice) ?? '', missing, 'replacement', invoice);
    for (const other of invoices.values())
      if (other.membership === membership) missing -= place(other.id, missing, 'same_member', invoice);
  }
  let excessCents = waitingCents - shares.reduce((sum, { amount_cents }) => sum + amount_cents, 0);
  for (const other of invoices.values())
    if (members.has(other.membership) && excessCents > 0)
      excessCents -= place(other.id, excessCents, 'same_member', null);
  for (const other of invoices.values()) place(other.id, remaining, 'other_member', null);
  return { placements, unplaced_cents: remaining };
}
