/** Where captured money of a flagged remittance may go. No database: the same facts give the same proposal. Amounts in cents. */

/** An unpaid share of the remittance, in the order in which shares were written. */
export interface Share {
  invoice: string;
  /** Whose invoice it is; of a void one, too. */
  membership: string;
  amount_cents: number;
}

/** An invoice of a member of the chapter that can take money now. */
export interface OpenInvoice {
  id: string;
  membership: string;
  due_date: string;
  balance_cents: number;
}

export const PLACED = ['kept', 'shortened', 'replacement', 'same_member', 'other_member'] as const;

/** Money that goes to an invoice, and why. */
export interface Placement {
  invoice: string;
  membership: string;
  amount_cents: number;
  reason: (typeof PLACED)[number];
  /** The invoice that it was meant for; null: more was captured than was asked for. */
  meant_for: string | null;
  balance_before_cents: number;
  balance_after_cents: number;
}

export interface Placements {
  placements: Placement[];
  /** What no open invoice can take. */
  unplaced_cents: number;
}

interface Facts {
  /** Of the charge, not credited to anybody yet. */
  waitingCents: number;
  shares: readonly Share[];
  open: readonly OpenInvoice[];
  /** Of dues that were issued anew, the invoice that stands for them now. */
  replacements: ReadonlyMap<string, string>;
  /** Whose shares the remittance has, paid ones too. */
  members: ReadonlySet<string>;
}

const byDueDate = (one: OpenInvoice, other: OpenInvoice): number =>
  one.due_date === other.due_date ? (one.id < other.id ? -1 : 1) : one.due_date < other.due_date ? -1 : 1;

/**
 * Shares that are valid stay; of less money than they come to the newest due is shortened first. A share that went stale goes to what
 * is still due of its invoice, to the invoice that stands for it now, then to other invoices of the same member, the oldest due first. Of
 * more money than they come to the rest goes to other invoices of those members. What is left then goes to the chapter's oldest invoices, marked
 * `other_member`. All that is placed and what is not come to exactly what waits.
 */
export function placeMoney({ waitingCents, shares, open, replacements, members }: Facts): Placements {
  const invoices = new Map([...open].sort(byDueDate).map((invoice) => [invoice.id, { ...invoice }]));
  const placements: Placement[] = [];
  let left = waitingCents;
  const place = (to: string, upTo: number, reason: Placement['reason'], meant_for: string | null): number => {
    const invoice = invoices.get(to);
    const amount_cents = Math.min(invoice?.balance_cents ?? 0, upTo, left);
    if (!invoice || amount_cents === 0) return 0;
    const balance_before_cents = invoice.balance_cents;
    invoice.balance_cents -= amount_cents;
    left -= amount_cents;
    const { membership, balance_cents: balance_after_cents } = invoice;
    placements.push({
      invoice: to,
      membership,
      amount_cents,
      reason,
      meant_for,
      balance_before_cents,
      balance_after_cents,
    });
    return amount_cents;
  };

  const isValid = ({ invoice, amount_cents }: Share): boolean =>
    (invoices.get(invoice)?.balance_cents ?? 0) >= amount_cents;
  const valid = shares.filter(isValid);
  // The oldest due first: what the money does not come to is of the newest.
  const inOrder = [...invoices.keys()];
  for (const { invoice, amount_cents } of valid.toSorted(
    (a, b) => inOrder.indexOf(a.invoice) - inOrder.indexOf(b.invoice),
  ))
    place(invoice, amount_cents, left < amount_cents ? 'shortened' : 'kept', invoice);
  for (const { invoice, membership, amount_cents } of shares.filter((share) => !valid.includes(share))) {
    let missing = amount_cents;
    missing -= place(invoice, missing, 'shortened', invoice);
    missing -= place(replacements.get(invoice) ?? '', missing, 'replacement', invoice);
    for (const other of invoices.values())
      if (other.membership === membership) missing -= place(other.id, missing, 'same_member', invoice);
  }
  let more = waitingCents - shares.reduce((sum, { amount_cents }) => sum + amount_cents, 0);
  for (const other of invoices.values())
    if (members.has(other.membership) && more > 0) more -= place(other.id, more, 'same_member', null);
  for (const other of invoices.values()) place(other.id, left, 'other_member', null);
  return { placements, unplaced_cents: left };
}
