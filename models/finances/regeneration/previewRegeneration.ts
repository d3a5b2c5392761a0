import { createHash } from 'node:crypto';
import { rows } from '../../database/rows.js';
import { refuse } from '../../errors.js';
import { type InvoiceDetail, readInvoice } from '../invoices/readInvoice.js';
import { type Regenerated, regenerateInvoice } from './regenerateInvoice.js';

/** What of the replacement does not depend on when it is made; amounts in cents. */
const SHOWN = [
  'description',
  'currency',
  'due_date',
  'status',
  'total_cents',
  'discount_cents',
  'credit_cents',
  'paid_cents',
  'overpaid_cents',
  'balance_due_cents',
] as const;
type Replacement = Pick<InvoiceDetail, (typeof SHOWN)[number]> & {
  lines: Omit<InvoiceDetail['lines'][number], 'id'>[];
};

export interface RegenerationPreview {
  replacement: Replacement;
  credit_issued_cents: number;
  preview_hash: string;
}

async function previewOf(invoiceId: string, regenerated: Regenerated): Promise<RegenerationPreview> {
  const made = (await readInvoice(regenerated.replacementId)) as InvoiceDetail;
  const shown = Object.fromEntries(SHOWN.map((name) => [name, made[name]])) as Pick<
    InvoiceDetail,
    (typeof SHOWN)[number]
  >;
  const lines = made.lines.map((line) => {
    const { id: _, ...shownOfLine } = line;
    return shownOfLine;
  });
  const replacement = { ...shown, lines };
  const preview = { replacement, credit_issued_cents: regenerated.creditIssuedCents };
  const seen = JSON.stringify([invoiceId, preview]);
  return { ...preview, preview_hash: createHash('sha256').update(seen).digest('hex') };
}

/** What issuing dues anew would come to: it is done, read, and taken back. Changes nothing. @throws Refusal as `regenerateInvoice` */
export async function previewRegeneration(invoiceId: string): Promise<RegenerationPreview> {
  await rows('SAVEPOINT regeneration');
  const preview = await previewOf(invoiceId, await regenerateInvoice(invoiceId));
  await rows('ROLLBACK TO SAVEPOINT regeneration');
  return preview;
}

/**
 * Issues dues anew, exactly as they were previewed where that is said.
 * @returns the replacement's id
 * @throws Refusal preview_stale, and as `regenerateInvoice`
 */
export async function regenerateAsPreviewed(invoiceId: string, previewHash: string | undefined): Promise<string> {
  const regenerated = await regenerateInvoice(invoiceId);
  if (previewHash !== undefined && (await previewOf(invoiceId, regenerated)).preview_hash !== previewHash)
    throw refuse.preview_stale();
  return regenerated.replacementId;
}
