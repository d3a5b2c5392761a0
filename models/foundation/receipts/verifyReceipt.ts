import { readPlatformRow } from '../../database/pipelinedTransaction.js';
import type { ShownRow } from '../../database/model/read.js';
import type { TaxReceipt } from './TaxReceipt.js';

/** The data of a receipt that a person sees after entering its code. */
export interface VerifiedReceipt {
  kind: ShownRow<typeof TaxReceipt>['kind'];
  tax_year: number;
  number: string;
  /** YYYY-MM-DD, in the foundation's time zone. Null for an annual receipt. */
  given_on: string | null;
  issued_on: string;
  amount_cents: number;
  currency: string;
  status: ShownRow<typeof TaxReceipt>['status'];
  /** Number of the receipt that replaced this one. */
  successor: string | null;
}

/** The form of a code: 128 bits in base64url. */
const CODE = /^[\w-]{22}$/;

/** Finds a receipt by its code, or null. Opens its own transaction, without a tenant. */
export async function verifyReceipt(code: string): Promise<VerifiedReceipt | null> {
  if (!CODE.test(code)) return null;
  const row = await readPlatformRow({
    text: 'SELECT * FROM app.receipt_of_code($1)',
    values: [code],
    prepared: true,
  });
  return (row as VerifiedReceipt | undefined) ?? null;
}
