import { audit } from '../../database/audit.js';
import { currentScope } from '../../database/connection.js';
import { currentOrganization, oneRow } from '../../database/rows.js';
import type { Payer } from './payer.js';

export interface NewCredit {
  payer: Payer;
  amountCents: number;
  reason: string;
  /** The payment that was more than was due, and its invoice. */
  overpayment?: { paymentRecordId: string; invoiceId: string };
}

/** Gives a payer credit, in cents. @returns the ledger entry's id */
export async function issueCredit({ payer, amountCents, reason, overpayment }: NewCredit): Promise<string> {
  const { id } = await oneRow<{ id: string }>(
    `INSERT INTO chapter_account_credits
       (organization_id, chapter_id, payer_type, membership_id, kind, amount_cents, invoice_id, payment_record_id, reason, created_by)
     VALUES ($1, $2, $3, $4, 'issued', $5, $6, $7, $8, $9) RETURNING id`,
    [
      currentOrganization(),
      payer.chapterId,
      payer.membershipId ? 'member' : 'chapter',
      payer.membershipId,
      amountCents,
      overpayment?.invoiceId ?? null,
      overpayment?.paymentRecordId ?? null,
      reason,
      currentScope().origin.userId,
    ],
  );
  await audit({
    action: 'credit.issued',
    subjectType: 'credit',
    subjectId: id,
    after: { ...payer, amount_cents: amountCents, reason },
  });
  return id;
}
