/** Locks a remittance and reads its status, which Postgres computes from the row's columns. */
import { lockExclusive } from '../../database/model/change.js';
import { oneRow } from '../../database/rows.js';
import { ChapterRemittance } from './ChapterRemittance.js';

export const REMITTANCE_STATUSES = ['draft', 'processing', 'settled', 'needs_reconciliation'] as const;
export type RemittanceStatus = (typeof REMITTANCE_STATUSES)[number];

/** SQL for a FROM clause: computes the status of remittance `r`, as `state.status`. */
export const REMITTANCE_STATE =
  'app.remittance_status(r.organization_id, r.id, r.settled_at, r.reconciliation_flagged_at, r.resolved_at) state';

/**
 * SQL: whether remittance `r` has the status `needs_reconciliation`, as in `app.remittance_status`. An index contains
 * the rows that match this condition.
 */
export const IS_FLAGGED =
  '(r.reconciliation_flagged_at IS NOT NULL AND (r.resolved_at IS NULL OR r.resolved_at < r.reconciliation_flagged_at))';

/** A remittance whose row is locked, with the status that it had when it was locked. */
export type Remittance = ChapterRemittance & { status: RemittanceStatus };

/** Locks the row until the transaction ends. @returns null when this tenant has no such remittance */
export async function lockRemittance(id: string): Promise<Remittance | null> {
  const row = await lockExclusive(ChapterRemittance, id);
  if (!row) return null;
  // Read after the lock is taken, so that the status is current.
  const { status } = await oneRow<Pick<Remittance, 'status'>>(
    `SELECT state.status FROM chapter_remittances r CROSS JOIN LATERAL ${REMITTANCE_STATE} WHERE r.id = $1`,
    [id],
  );
  return Object.assign(row, { status });
}
