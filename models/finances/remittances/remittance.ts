/** A remittance as the operations see it, and the status that is derived from its columns. */
import { holdRow } from '../../database/model/change.js';
import { oneRow } from '../../database/rows.js';
import { ChapterRemittance } from './ChapterRemittance.js';

export const REMITTANCE_STATUSES = ['draft', 'processing', 'settled', 'needs_reconciliation'] as const;
export type RemittanceStatus = (typeof REMITTANCE_STATUSES)[number];

/** Held, with the status that it has then. */
export type Remittance = ChapterRemittance & { status: RemittanceStatus };

/** SQL for the status of remittance `r`. A flag outlives its resolution; it is live while it is the younger of the two. */
export const STATUS_SQL = `CASE
  WHEN r.reconciliation_flagged_at IS NOT NULL AND (r.resolved_at IS NULL OR r.resolved_at < r.reconciliation_flagged_at)
    THEN 'needs_reconciliation'
  WHEN r.settled_at IS NOT NULL THEN 'settled'
  WHEN EXISTS (SELECT 1 FROM payment_attempts p WHERE p.organization_id = r.organization_id
                AND p.remittance_id = r.id AND p.status = 'pending') THEN 'processing'
  ELSE 'draft' END`;

/**
 * SQL for what waits of a flagged charge `c`: what it took and nobody was credited with, and what of that is not gone. What we gave back of a
 * payment ourselves took nothing of it; what others gave back, and disputes took, goes of it first.
 */
export const WAITING_OF_CHARGE = `greatest(0, c.amount_cents - c.refunded_cents - coalesce((
     SELECT sum(k.amount_cents)::bigint FROM payment_records k WHERE k.organization_id = c.organization_id
        AND k.processor_id = c.processor_id AND k.intent_id = c.intent_id AND k.status = 'succeeded'), 0) + coalesce((
     SELECT sum(o.amount_cents)::bigint FROM refunds o WHERE o.organization_id = c.organization_id
        AND o.capture_id = c.id AND o.status = 'succeeded'), 0))`;

/**
 * SQL for what waits on remittance `r`: one charge at a time, the oldest first, since each payment belongs to one charge.
 * A part of it may have been credited before a refund of the rest failed.
 */
export const WAITING_SQL = `(SELECT ${WAITING_OF_CHARGE} FROM processor_captures c
  WHERE c.organization_id = r.organization_id AND c.remittance_id = r.id AND c.disposition = 'flagged' ORDER BY c.id LIMIT 1)`;

/** Locks the row until the transaction ends. @returns null when this tenant has no such remittance */
export async function lockRemittance(id: string): Promise<Remittance | null> {
  const row = await holdRow(ChapterRemittance, id);
  if (!row) return null;
  // Asked after the lock, so that the status is that of the moment at which we hold it.
  const { status } = await oneRow<Pick<Remittance, 'status'>>(
    `SELECT ${STATUS_SQL} AS status FROM chapter_remittances r WHERE r.id = $1`,
    [id],
  );
  return Object.assign(row, { status });
}
