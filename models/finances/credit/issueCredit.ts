import { audit } from '../../database/audit.js';
import { currentScope } from '../../database/connection.js';
import { coverShortfall } from './coverShortfall.js';
import type { Payer } from './payer.js';
import { writeEntry } from './writeEntry.js';

export interface NewCredit {
  payer: Payer;
  amountCents: number;
  reason: string;
  /** The payment that becomes credit, and its invoice. A later refund of the payment takes the credit back. */
  from?: { paymentRecordId: string; invoiceId: string };
  /** Id of the decision that turned an unmatched payment into credit. */
  resolutionId?: string;
}

/** Gives a payer credit, in cents; a shortfall of the payer is covered first. @returns the ledger entry's id */
export async function issueCredit({ payer, amountCents, reason, from, resolutionId }: NewCredit): Promise<string> {
  const id = await writeEntry(payer, {
    kind: 'issued',
    cents: amountCents,
    invoiceId: from?.invoiceId ?? null,
    paymentId: from?.paymentRecordId ?? null,
    resolutionId: resolutionId ?? null,
    reason,
    createdBy: currentScope().origin.userId,
  });
  await audit({
    action: 'credit.issued',
    subjectType: 'credit',
    subjectId: id,
    after: { ...payer, amount_cents: amountCents, reason },
  });
  await coverShortfall(payer);
  return id;
}
