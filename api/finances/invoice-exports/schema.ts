import { z } from 'zod';
import { createBody, rowJson } from '../../../models/database/model/schemas.js';
import { InvoiceExport } from '../../../models/finances/invoice-exports/InvoiceExport.js';

export const InvoiceExportBody = createBody(InvoiceExport);

export const InvoiceExportJob = z
  .object({
    ...rowJson(InvoiceExport).shape,
    download_url: z.string().nullable().meta({
      description:
        'Valid for ten minutes, for readers who may still have the file then. Null if there is no file yet, or if it contains amounts that you do not see.',
    }),
  })
  .meta({ id: 'InvoiceExportJob' });

export const DownloadQuery = z.object({
  expires: z.coerce.number().int().min(0).max(99_999_999_999).default(0),
  signature: z.string().max(64).default(''),
});
