/** Shares of a charge: which invoices they may be for, and when one has gone stale. */
import { currentOrganization, rows } from '../../database/rows.js';
import { type FieldErrors, refuse } from '../../errors.js';

export interface AllocationInput {
  invoice: string;
  amount_cents: number;
}

/** A share as it is asked for; null: whatever is due. */
export interface ShareInput {
  invoice: string;
  amount_cents: number | null;
}

/** In cents. */
export const sumOf = (allocations: AllocationInput[]): number =>
  allocations.reduce((sum, { amount_cents }) => sum + amount_cents, 0);

interface Candidate {
  id: string;
  payer_type: string;
  status: string;
  balance_due_cents: number;
  reserved: boolean;
}

/** SQL: invoice `i` can take no more than its balance, and nothing once it is paid or void. */
const STALE_SQL = `(i.status IN ('paid','void') OR i.balance_due_cents < a.amount_cents)`;

/** Locks the invoices, in the one order of all who do. Whoever reads them afterwards sees what was committed meanwhile. */
export const lockInvoices = (chapterId: string, allocations: ShareInput[]): Promise<unknown> =>
  rows(
    'SELECT 1 FROM chapter_invoices WHERE organization_id = $1 AND chapter_id = $2 AND id = ANY($3) ORDER BY id FOR UPDATE',
    [currentOrganization(), chapterId, allocations.map(({ invoice }) => invoice)],
  );

/**
 * Checks every share as it is now: for a draft, which reserves nothing, without a lock; what settles locks them first.
 * @returns the shares, with what is due where no amount was asked for
 * @throws Refusal validation_error with `allocations.<n>.invoice` or `.amount_cents`; amounts due are never in the message
 */
export async function checkAllocations(chapterId: string, allocations: ShareInput[]): Promise<AllocationInput[]> {
  const ids = allocations.map(({ invoice }) => invoice);
  const found = await rows<Candidate>(
    `SELECT i.id, i.payer_type, i.status, i.balance_due_cents,
            EXISTS (SELECT 1 FROM chapter_remittance_allocations a WHERE a.organization_id = i.organization_id
                     AND a.invoice_id = i.id AND a.reserved_by_attempt_id IS NOT NULL) AS reserved
       FROM chapter_invoices i
      WHERE i.organization_id = $1 AND i.chapter_id = $2 AND i.id = ANY($3)`,
    [currentOrganization(), chapterId, ids],
  );
  const candidates = new Map(found.map((candidate) => [candidate.id, candidate]));
  const errors: FieldErrors = {};
  allocations.forEach((allocation, index) => {
    const [field, message] = problemWith(
      allocation,
      candidates.get(allocation.invoice),
      ids.indexOf(allocation.invoice) < index,
    );
    if (message) errors[`allocations.${index}.${field}`] = [message];
  });
  if (Object.keys(errors).length > 0) throw refuse.validation_error(undefined, errors);
  return allocations.map(({ invoice, amount_cents }) => ({
    invoice,
    amount_cents: amount_cents ?? (candidates.get(invoice) as Candidate).balance_due_cents,
  }));
}

function problemWith(
  allocation: ShareInput,
  invoice: Candidate | undefined,
  repeated: boolean,
): [string, string | null] {
  if (repeated) return ['invoice', 'This invoice is named twice.'];
  if (!invoice || invoice.payer_type !== 'member') return ['invoice', "Not one of this chapter's member invoices."];
  if (invoice.status === 'paid' || invoice.status === 'void') return ['invoice', `This invoice is ${invoice.status}.`];
  if (invoice.reserved) return ['invoice', 'This invoice is waiting for the outcome of another payment.'];
  if ((allocation.amount_cents ?? 0) > invoice.balance_due_cents) return ['amount_cents', 'This is more than is due.'];
  return ['', null];
}

/** Writes shares in one statement. */
export async function insertAllocations(
  remittanceId: string,
  chapterId: string,
  allocations: AllocationInput[],
): Promise<void> {
  await rows(
    `INSERT INTO chapter_remittance_allocations (organization_id, remittance_id, chapter_id, invoice_id, amount_cents)
     SELECT $1, $2, $3, x.invoice, x.amount_cents FROM jsonb_to_recordset($4) AS x(invoice uuid, amount_cents bigint)`,
    [currentOrganization(), remittanceId, chapterId, JSON.stringify(allocations)],
  );
}

/** Locks the invoices of a remittance's open shares. @returns the shares that went stale, by their place in the list as it was sent */
export async function staleAllocations(remittanceId: string): Promise<{ invoice_id: string; position: number }[]> {
  const locked = await rows<{ id: string; invoice_id: string; stale: boolean }>(
    `SELECT a.id, a.invoice_id, ${STALE_SQL} AS stale
       FROM chapter_remittance_allocations a
       JOIN chapter_invoices i ON i.organization_id = a.organization_id AND i.id = a.invoice_id
      WHERE a.organization_id = $1 AND a.remittance_id = $2 AND a.payment_record_id IS NULL
      ORDER BY i.id FOR UPDATE OF i`,
    [currentOrganization(), remittanceId],
  );
  // Locks are taken in one order for everybody; ids of shares keep the order in which they were written.
  const asSent = locked.sort((one, other) => (one.id < other.id ? -1 : 1));
  return asSent.map((share, position) => ({ ...share, position })).filter(({ stale }) => stale);
}
