import { z } from 'zod';
import { filterFields, rowJson } from '../../../models/database/model/schemas.js';
import { cents, previewHash } from '../../../models/fields.js';
import { AnnualReceiptRun } from '../../../models/foundation/receipts/AnnualReceiptRun.js';
import { MAX_PREVIEW_LINES } from '../../../models/foundation/receipts/previewAnnualReceipts.js';
import { pageQuery } from '../../http/pagination.js';
import { year } from '../receipts/schema.js';

export const AnnualReceiptsRequest = z
  .strictObject({
    tax_year: z.int().min(1800).max(2200).meta({ example: 2025, description: 'A year that is over.' }),
    dry_run: z.boolean().default(false).meta({ description: 'True: answer with the preview and change nothing.' }),
    preview_hash: previewHash
      .optional()
      .meta({ description: 'Required without dry_run: confirms the preview that has it.' }),
  })
  .refine(({ dry_run, preview_hash }) => dry_run || preview_hash !== undefined, {
    path: ['preview_hash'],
    message: 'Required. Preview the receipts first, with dry_run.',
  })
  .meta({ id: 'AnnualReceiptsRequest' });

export const AnnualReceiptsPreview = z
  .object({
    dry_run: z.literal(true),
    tax_year: z.int(),
    preview_hash: previewHash,
    currency: z.string(),
    totals: z.object({
      receipts: z.int().meta({ description: 'One per donor who has no valid annual receipt of the year.' }),
      gifts: z.int(),
      amount_cents: cents.meta({ description: 'Sum of the gifts, less the money that went back.' }),
    }),
    lines: z
      .array(z.object({ donor: z.uuid(), donor_name: z.string(), gifts: z.int(), amount_cents: cents }))
      .meta({ description: `One per receipt, at most ${MAX_PREVIEW_LINES}.` }),
    has_more_lines: z.boolean(),
  })
  .meta({ id: 'AnnualReceiptsPreview' });

export const AnnualReceiptRunJson = rowJson(AnnualReceiptRun);

export const AnnualReceiptRunFilters = z.object({
  ...pageQuery,
  year: year.optional().meta({ description: 'The tax year.', example: 2025, override: { type: 'integer' } }),
  ...filterFields(AnnualReceiptRun, ['status']),
});
