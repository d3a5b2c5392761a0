import { z } from 'zod';
import { rowJson } from '../../../models/database/model/schemas.js';
import { Refund } from '../../../models/finances/refunds/Refund.js';
import { line, MAX_CENTS, recordId, text } from '../../../models/fields.js';
import { pageQuery } from '../../http/pagination.js';
import { hiddenCents } from '../fields.js';
import { InvoiceJson } from '../invoices/schema.js';

export const RefundJson = rowJson(Refund).extend({ amount_cents: hiddenCents }).meta({ id: 'Refund' });
export const RefundFilters = z.object(pageQuery);

export const RefundInvoice = z
  .strictObject({
    amount_cents: z
      .int()
      .min(1)
      .max(MAX_CENTS)
      .optional()
      .meta({ description: 'Left out: all that can be given back. Officers who see no amounts send none.' }),
    payment: recordId
      .optional()
      .meta({ description: 'One of the invoice’s payments; left out: the newest, then those before it.' }),
    waive: z
      .boolean()
      .default(false)
      .meta({ description: 'What the refund makes due again is waived with it. By administrators only.' }),
    reason: text(500).min(3),
    reference: line(200).optional().meta({ description: 'How it is given back; required of what was paid by hand.' }),
  })
  .meta({ id: 'InvoiceRefund' });

export const RefundedJson = z.object({ refunds: z.array(RefundJson), invoice: InvoiceJson }).meta({ id: 'Refunded' });
