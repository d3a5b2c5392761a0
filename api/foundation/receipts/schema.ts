import { z } from 'zod';
import { config } from '../../../config.js';
import type { ShownRow } from '../../../models/database/model/read.js';
import { filterFields, rowJson } from '../../../models/database/model/schemas.js';
import { TaxReceipt } from '../../../models/foundation/receipts/TaxReceipt.js';
import { pageQuery } from '../../http/pagination.js';

/** A tax year in a query. */
export const year = z
  .string()
  .regex(/^\d{4}$/, 'Must be a year.')
  .transform(Number);

export const ReceiptFilters = z.object({
  ...pageQuery,
  year: year.optional().meta({ description: 'The tax year.', example: 2026, override: { type: 'integer' } }),
  ...filterFields(TaxReceipt, ['kind', 'status', 'donor', 'donation', 'annual_run']),
});

export const ReceiptJson = rowJson(TaxReceipt)
  .extend({ pdf_url: z.url().meta({ description: 'Where the same people get the receipt as a PDF.' }) })
  .meta({ id: 'TaxReceipt' });

export const presentReceipt = (receipt: ShownRow<typeof TaxReceipt>) => ({
  ...receipt,
  pdf_url: `${config.backendUrl}/api/foundation/receipts/${receipt.id}/pdf/`,
});
