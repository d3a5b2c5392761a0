/** A remittance for operations, and the status that derives from its columns. */
import { lockExclusive } from '../../database/model/change.js';
import { oneRow } from '../../database/rows.js';
import { ChapterRemittance } from './ChapterRemittance.js';

export const REMITTANCE_STATUSES = ['draft', 'processing', 'settled', 'needs_reconciliation'] as const;
export type RemittanceStatus = (typeof REMITTANCE_STATUSES)[number];

/** A locked remittance with its status at that time. */
export type Remittance = ChapterRemittance & { status: RemittanceStatus };

/**
 * SQL for the status of remittance `r`. A flag stays after its resolution; it is in force while it is newer than the
 * resolution.
 */
export const STATUS_SQL = `CASE
  WHEN r.reconciliation_flagged_at IS NOT NULL AND (r.resolved_at IS NULL OR r.resolved_at < r.reconciliation_flagged_at)
    THEN 'needs_reconciliation'
  WHEN r.settled_at IS NOT NULL THEN 'settled'
  WHEN EXISTS (SELECT 1 FROM payment_attempts p WHERE p.organization_id = r.organization_id
                AND p.remittance_id = r.id AND p.status = 'pending') THEN 'processing'
  ELSE 'draft' END`;

/**
 * SQL for the uncredited amount of a flagged charge `c`: the captured amount that paid no invoice, less refunds. Our
 * own refunds of payments do not reduce it; refunds by others and disputes reduce it first.
 */
export const UNCREDITED_OF_CHARGE = `greatest(0, c.amount_cents - c.refunded_cents - coalesce((
     SELECT sum(k.amount_cents)::bigint FROM payment_records k WHERE k.organization_id = c.organization_id
        AND k.processor_id = c.processor_id AND k.intent_id = c.intent_id AND k.status = 'succeeded'), 0) + coalesce((
     SELECT sum(o.amount_cents)::bigint FROM refunds o WHERE o.organization_id = c.organization_id
        AND o.capture_id = c.id AND o.status = 'succeeded'), 0))`;

/**
 * SQL for the uncredited amount of remittance `r`: of one flagged charge at a time, the oldest first, since each
 * payment belongs to one charge. A part of it may have been credited before a refund of the rest failed.
 */
export const UNCREDITED_SQL = `(SELECT ${UNCREDITED_OF_CHARGE} FROM processor_captures c
  WHERE c.organization_id = r.organization_id AND c.remittance_id = r.id AND c.disposition = 'flagged' ORDER BY c.id LIMIT 1)`;

/** Locks the row until the transaction ends. @returns null when this tenant has no such remittance */
export async function lockRemittance(id: string): Promise<Remittance | null> {
  const row = await lockExclusive(ChapterRemittance, id);
  if (!row) return null;
  // Read after the lock is taken, so that the status is current.
  const { status } = await oneRow<Pick<Remittance, 'status'>>(
    `SELECT ${STATUS_SQL} AS status FROM chapter_remittances r WHERE r.id = $1`,
    [id],
  );
  return Object.assign(row, { status });
}
