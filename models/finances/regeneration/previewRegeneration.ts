import { createHash } from 'node:crypto';
import { rows } from '../../database/rows.js';
import { refuse } from '../../errors.js';
import { type InvoiceDetail, readInvoice } from '../invoices/readInvoice.js';
import { type RegenerationResult, regenerateInvoice } from './regenerateInvoice.js';

/**
 * Fields of the replacement invoice that a preview shows. They do not depend on the time at which the invoice is
 * created; amounts in cents.
 */
const PREVIEW_FIELDS = [
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
type Replacement = Pick<InvoiceDetail, (typeof PREVIEW_FIELDS)[number]> & {
  lines: Omit<InvoiceDetail['lines'][number], 'id'>[];
};

export interface RegenerationPreview {
  replacement: Replacement;
  credit_issued_cents: number;
  preview_hash: string;
}

async function toPreview(invoiceId: string, regenerated: RegenerationResult): Promise<RegenerationPreview> {
  const replacementInvoice = (await readInvoice(regenerated.replacementId)) as InvoiceDetail;
  const fields = Object.fromEntries(PREVIEW_FIELDS.map((name) => [name, replacementInvoice[name]])) as Pick<
    InvoiceDetail,
    (typeof PREVIEW_FIELDS)[number]
  >;
  const lines = replacementInvoice.lines.map((line) => {
    const { id: _, ...lineFields } = line;
    return lineFields;
  });
  const replacement = { ...fields, lines };
  const preview = { replacement, credit_issued_cents: regenerated.creditIssuedCents };
  const hashed = JSON.stringify([invoiceId, preview]);
  return { ...preview, preview_hash: createHash('sha256').update(hashed).digest('hex') };
}

/**
 * Previews the reissue of dues: performs it, reads the result, and rolls it back. Changes nothing. @throws Refusal as
 * `regenerateInvoice`
 */
export async function previewRegeneration(invoiceId: string): Promise<RegenerationPreview> {
  await rows('SAVEPOINT regeneration');
  const preview = await toPreview(invoiceId, await regenerateInvoice(invoiceId));
  await rows('ROLLBACK TO SAVEPOINT regeneration');
  return preview;
}

/**
 * Reissues dues. If a preview hash is given, the result must be exactly what was previewed.
 * @returns the replacement's id
 * @throws Refusal preview_stale, and the refusals of `regenerateInvoice`
 */
export async function regenerateAsPreviewed(invoiceId: string, previewHash: string | undefined): Promise<string> {
  const regenerated = await regenerateInvoice(invoiceId);
  if (previewHash !== undefined && (await toPreview(invoiceId, regenerated)).preview_hash !== previewHash)
    throw refuse.preview_stale();
  return regenerated.replacementId;
}
