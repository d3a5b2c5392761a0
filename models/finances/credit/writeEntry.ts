import { currentOrganization, oneRow } from '../../database/rows.js';
import { syncManualRefundCases } from '../cases/syncManualRefundCases.js';
import type { Payer } from './payer.js';
import type { CREDIT_KINDS } from './readCredit.js';
import type { CreditSource } from './sources.js';

export interface NewEntry extends Partial<CreditSource> {
  kind: (typeof CREDIT_KINDS)[number];
  /** Amount of the entry, always greater than 0. */
  cents: number;
  /** At most 500 characters. */
  reason: string;
  /**
   * Id of the entry that moved this credit out of the membership that held it before; omitted for credit that did not
   * move.
   */
  movedFrom?: string;
  /** Id of the user who acted; omitted if no person did. */
  createdBy?: string | null;
}

/** Appends an entry to a payer's credit ledger; database constraints check it. @returns its id */
export async function writeEntry({ chapterId, membershipId }: Payer, entry: NewEntry): Promise<string> {
  const { kind, cents, reason, invoiceId, paymentId, resolutionId, movedFrom, createdBy } = entry;
  const { id } = await oneRow<{ id: string }>(
    `INSERT INTO chapter_account_credits (organization_id, chapter_id, payer_type, membership_id, kind, amount_cents, invoice_id,
       payment_record_id, capture_resolution_id, moved_from, reason, created_by)
     VALUES ($1, $2, CASE WHEN $3::uuid IS NULL THEN 'chapter' ELSE 'member' END, $3, $4, $5, $6, $7, $8, $9, $10, $11)
     RETURNING id`,
    [
      currentOrganization(),
      chapterId,
      membershipId,
      kind,
      cents,
      invoiceId ?? null,
      paymentId ?? null,
      resolutionId ?? null,
      movedFrom ?? null,
      reason,
      createdBy ?? null,
    ],
  );
  await syncManualRefundCases([membershipId]);
  return id;
}
