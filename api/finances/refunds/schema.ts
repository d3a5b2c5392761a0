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
      .meta({ description: 'If left out, all that can be refunded. Officers who see no amounts leave it out.' }),
    payment: recordId
      .optional()
      .meta({ description: 'A payment of the invoice; if left out, the newest first, then earlier ones.' }),
    waive: z
      .boolean()
      .default(false)
      .meta({ description: 'Waives the amount that the refund makes due again. Only for administrators.' }),
    reason: text(500).min(3),
    reference: line(200).optional().meta({ description: 'How the refund is made; required for a manual payment.' }),
  })
  .meta({ id: 'InvoiceRefund' });

export const RefundedJson = z.object({ refunds: z.array(RefundJson), invoice: InvoiceJson }).meta({ id: 'Refunded' });
