import { z } from 'zod';
import { InvoiceDiscount } from '../../../models/finances/adjustments/InvoiceDiscount.js';
import { METHODS } from '../../../models/finances/adjustments/payByHand.js';
import { rowJson } from '../../../models/database/model/schemas.js';
import { day, idempotencyKey, line, MAX_CENTS, recordId, text } from '../../../models/fields.js';
import { pageQuery } from '../../http/pagination.js';
import { InvoiceJson } from './schema.js';

const amount = z.int().min(1).max(MAX_CENTS);
/** Required, because other people read the reason later. */
const reason = text(500).min(3);

export const AdjustInvoice = z
  .strictObject({
    kind: z.enum(['credit', 'fee', 'waiver']).meta({
      description:
        'credit: pays from the payer’s own credit; fee: adds a line; waiver: a discount of that category, only for administrators.',
    }),
    amount_cents: amount,
    reason,
  })
  .meta({ id: 'InvoiceAdjust' });

export const DiscountParams = z.object({ id: recordId, discount_id: recordId });
export const DiscountFilters = z.object(pageQuery);
export const DiscountJson = rowJson(InvoiceDiscount);

export const GrantDiscount = z
  .strictObject({
    amount_cents: amount,
    category: line(50).meta({ description: 'A category of the organization, for example hardship or scholarship.' }),
    reason,
    notes: text(2000).optional().meta({ description: 'For administrators.' }),
  })
  .meta({ id: 'InvoiceDiscountGrant' });

export const VoidDiscount = z.strictObject({ reason }).meta({ id: 'InvoiceDiscountVoid' });

export const PayByHand = z
  .strictObject({
    amount_cents: amount,
    method: z.enum(METHODS),
    reference: line(200).meta({ description: 'The number of the check or transfer; for cash, of the receipt.' }),
    received_on: day,
    idempotency_key: idempotencyKey.meta({
      description: 'Identifies the payment: the same key with the same body changes nothing.',
    }),
  })
  .meta({ id: 'PaymentByHand' });

export const PaidByHandJson = z
  .object({
    payment: z.uuid().meta({ description: 'Id of the payment on the invoice.' }),
    invoice: InvoiceJson,
  })
  .meta({ id: 'PaidByHand' });
