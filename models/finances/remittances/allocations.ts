/** Allocations of a remittance: which invoices they may pay, and when one is stale. */
import { currentOrganization, rows } from '../../database/rows.js';
import { type FieldErrors, refuse } from '../../errors.js';

export interface AllocationInput {
  invoice: string;
  amount_cents: number;
}

/** A requested allocation; a null amount means the invoice's balance. */
export interface RequestedAllocation {
  invoice: string;
  amount_cents: number | null;
}

/** Returns the total in cents. */
export const sumOf = (allocations: AllocationInput[]): number =>
  allocations.reduce((sum, { amount_cents }) => sum + amount_cents, 0);

interface Candidate {
  id: string;
  payer_type: string;
  status: string;
  balance_due_cents: number;
  reserved: boolean;
}

/** SQL: whether allocation `a` is stale, because invoice `i` is paid or void, or its balance is smaller. */
const STALE_SQL = `(i.status IN ('paid','void') OR i.balance_due_cents < a.amount_cents)`;

/**
 * Locks the invoices by id, the order that all transactions use. What other transactions committed before the lock was
 * taken is visible to later reads.
 */
export const lockInvoices = (chapterId: string, allocations: RequestedAllocation[]): Promise<unknown> =>
  rows(
    'SELECT 1 FROM chapter_invoices WHERE organization_id = $1 AND chapter_id = $2 AND id = ANY($3) ORDER BY id FOR UPDATE',
    [currentOrganization(), chapterId, allocations.map(({ invoice }) => invoice)],
  );

/**
 * Checks all allocations against the present data. A draft reserves nothing and needs no lock; a settlement locks the
 * invoices first.
 * @returns the allocations, with the invoice's balance where no amount was requested
 * @throws Refusal validation_error with `allocations.<n>.invoice` or `.amount_cents`; balances are never in the message
 */
export async function checkAllocations(
  chapterId: string,
  allocations: RequestedAllocation[],
): Promise<AllocationInput[]> {
  const ids = allocations.map(({ invoice }) => invoice);
  const invoices = await rows<Candidate>(
    `SELECT i.id, i.payer_type, i.status, i.balance_due_cents,
            EXISTS (SELECT 1 FROM chapter_remittance_allocations a WHERE a.organization_id = i.organization_id
                     AND a.invoice_id = i.id AND a.reserved_by_attempt_id IS NOT NULL) AS reserved
       FROM chapter_invoices i
      WHERE i.organization_id = $1 AND i.chapter_id = $2 AND i.id = ANY($3)`,
    [currentOrganization(), chapterId, ids],
  );
  const candidates = new Map(invoices.map((candidate) => [candidate.id, candidate]));
  const errors: FieldErrors = {};
  allocations.forEach((allocation, index) => {
    const [field, message] = findProblem(
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

function findProblem(
  allocation: RequestedAllocation,
  invoice: Candidate | undefined,
  isRepeated: boolean,
): [string, string | null] {
  if (isRepeated) return ['invoice', 'This invoice is listed twice.'];
  if (!invoice || invoice.payer_type !== 'member') return ['invoice', 'This is not a member invoice of this chapter.'];
  if (invoice.status === 'paid' || invoice.status === 'void') return ['invoice', `This invoice is ${invoice.status}.`];
  if (invoice.reserved) return ['invoice', 'Another payment of this invoice is pending.'];
  if ((allocation.amount_cents ?? 0) > invoice.balance_due_cents) return ['amount_cents', 'This exceeds the balance.'];
  return ['', null];
}

/** Inserts allocations in one statement. */
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

/**
 * Locks the invoices of a remittance's unpaid allocations. @returns the stale allocations, with their position in the
 * list as it was sent
 */
export async function findStaleAllocations(remittanceId: string): Promise<{ invoice_id: string; position: number }[]> {
  const locked = await rows<{ id: string; invoice_id: string; stale: boolean }>(
    `SELECT a.id, a.invoice_id, ${STALE_SQL} AS stale
       FROM chapter_remittance_allocations a
       JOIN chapter_invoices i ON i.organization_id = a.organization_id AND i.id = a.invoice_id
      WHERE a.organization_id = $1 AND a.remittance_id = $2 AND a.payment_record_id IS NULL
      ORDER BY i.id FOR UPDATE OF i`,
    [currentOrganization(), remittanceId],
  );
  // The query locks the invoices in the order of their ids. The ids of the allocations have the order in which the
  // client sent them, so sorting by them restores the positions.
  const inSentOrder = locked.sort((a, b) => (a.id < b.id ? -1 : 1));
  return inSentOrder.map((allocation, position) => ({ ...allocation, position })).filter(({ stale }) => stale);
}
