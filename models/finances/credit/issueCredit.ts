import { audit } from '../../database/audit.js';
import { currentScope } from '../../database/connection.js';
import { currentOrganization, oneRow } from '../../database/rows.js';
import { coverShortfall } from './coverShortfall.js';
import type { Payer } from './payer.js';

export interface NewCredit {
  payer: Payer;
  amountCents: number;
  reason: string;
  /** The payment whose money becomes credit, and its invoice: credit that goes with it when it is refunded. */
  from?: { paymentRecordId: string; invoiceId: string };
  /** The decision that made credit of money that was for nothing here. */
  keptBy?: string;
}

/** Gives a payer credit, in cents; what the payer is short of is covered first. @returns the ledger entry's id */
export async function issueCredit({ payer, amountCents, reason, from, keptBy }: NewCredit): Promise<string> {
  const { id } = await oneRow<{ id: string }>(
    `INSERT INTO chapter_account_credits
       (organization_id, chapter_id, payer_type, membership_id, kind, amount_cents, invoice_id, payment_record_id,
        capture_resolution_id, reason, created_by)
     VALUES ($1, $2, $3, $4, 'issued', $5, $6, $7, $8, $9, $10) RETURNING id`,
    [
      currentOrganization(),
      payer.chapterId,
      payer.membershipId ? 'member' : 'chapter',
      payer.membershipId,
      amountCents,
      from?.invoiceId ?? null,
      from?.paymentRecordId ?? null,
      keptBy ?? null,
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
  await coverShortfall(payer);
  return id;
}
