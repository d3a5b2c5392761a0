/** Steps that receipts of gifts and annual receipts share. They run in the caller's transaction. */
import { randomBytes } from 'node:crypto';
import { audit } from '../../database/audit.js';
import { changeRow, computed, now } from '../../database/model/change.js';
import { currentOrganization, oneRow } from '../../database/rows.js';
import { type PrintedAnnualReceipt, type PrintedReceipt, TaxReceipt } from './TaxReceipt.js';

/** 128 bits, so that a code cannot be guessed. */
const CODE_BYTES = 16;

interface NewReceipt {
  donorId: string;
  /** Null for an annual receipt. */
  donationId: string | null;
  annualRunId?: string | null;
  taxYear: number;
  amountCents: number;
  currency: string;
  /** The receipt in whose place this one is issued. */
  replaces: { id: string; number: string } | null;
  printed: PrintedReceipt | PrintedAnnualReceipt;
  isMailed: boolean;
}

/**
 * Inserts a receipt with the next number of its year, and locks the counter of that year until the transaction ends.
 * @returns the id of the receipt
 */
export async function insertReceipt(receipt: NewReceipt): Promise<string> {
  const {
    donorId,
    donationId,
    annualRunId = null,
    taxYear,
    amountCents,
    currency,
    replaces,
    printed,
    isMailed,
  } = receipt;
  const { id, number } = await oneRow<{ id: string; number: string }>(
    `WITH counter AS (
       INSERT INTO receipt_counters AS c (organization_id, tax_year, last_number) VALUES ($1, $5, 1)
       ON CONFLICT ON CONSTRAINT receipt_counters_one_per_year DO UPDATE SET last_number = c.last_number + 1
       RETURNING last_number)
     INSERT INTO tax_receipts (organization_id, donor_id, donation_id, annual_run_id, tax_year, sequence, amount_cents,
                               currency, replaces, code, printed, mail_status)
     SELECT $1, $2, $3, $4, $5, last_number, $6, $7, $8, $9, $10, $11 FROM counter RETURNING id, number`,
    [
      currentOrganization(),
      donorId,
      donationId,
      annualRunId,
      taxYear,
      amountCents,
      currency,
      replaces?.id ?? null,
      randomBytes(CODE_BYTES).toString('base64url'),
      JSON.stringify(printed),
      isMailed ? 'waiting' : 'not_requested',
    ],
  );
  await audit({
    action: 'tax_receipt.issued',
    subjectType: 'tax_receipt',
    subjectId: id,
    after: { number, replaces: replaces?.number ?? null },
  });
  return id;
}

/** Makes a receipt void or superseded. If its mail still waits, the mail is not sent. */
export async function endReceipt(
  { id, number }: { id: string; number: string },
  status: 'superseded' | 'void',
): Promise<void> {
  const mail_status = computed(`CASE mail_status WHEN 'waiting' THEN 'replaced' ELSE mail_status END`);
  await changeRow(TaxReceipt, id, { status, ended_at: now, mail_status });
  await audit({
    action: `tax_receipt.${status === 'void' ? 'voided' : 'superseded'}`,
    subjectType: 'tax_receipt',
    subjectId: id,
    after: { number },
  });
}
