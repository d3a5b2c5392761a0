import { z } from 'zod';
import { CREDIT_KINDS } from '../../../models/finances/credit/readCredit.js';
import { RefundJson } from '../refunds/schema.js';
import { pageOf, pageQuery } from '../../http/pagination.js';
import { cents, line, MAX_CENTS, moment, recordId, text } from '../../../models/fields.js';

export const CreditParams = z.object({ organization_id: recordId, chapter_id: recordId });

export const CreditQuery = z.object({
  ...pageQuery,
  member: z.uuid().optional().meta({ description: "A membership of the chapter; left out, the chapter's own credit." }),
});

const CreditEntryJson = z
  .object({
    id: z.uuid(),
    kind: z.enum(CREDIT_KINDS).meta({
      description:
        'shortfall: a payment was refunded after its credit had been spent; recovered: later credit that covers a shortfall.',
    }),
    amount_cents: cents,
    effect_cents: cents.meta({ description: 'Effect of the entry on the available credit.' }),
    invoice: z
      .uuid()
      .nullable()
      .meta({ description: 'The invoice to which it was applied, or whose payment it came from.' }),
    payment: z.uuid().nullable(),
    reverses: z.uuid().nullable(),
    reason: z.string(),
    created_by: z.uuid().nullable(),
    created_at: moment,
  })
  .meta({ id: 'CreditEntry' });

export const ShortfallJson = z
  .object({
    id: z.uuid().meta({ description: 'Id of the credit ledger entry.' }),
    chapter: z.uuid(),
    chapter_name: z.string(),
    member: z.uuid().nullable().meta({ description: 'Null for the chapter itself.' }),
    amount_cents: cents.meta({ description: 'The amount when it was recorded.' }),
    shortfall_cents: cents.meta({ description: 'The current total shortfall of the payer.' }),
    invoice: z.uuid().nullable(),
    payment: z.uuid().nullable().meta({ description: 'The refunded payment, if it was for an invoice.' }),
    created_at: moment,
  })
  .meta({ id: 'CreditShortfall' });

export const ShortfallQuery = z.object(pageQuery);

export const CreditJson = pageOf(CreditEntryJson)
  .extend({
    chapter: z.uuid(),
    member: z.uuid().nullable(),
    available_cents: cents.meta({
      description: 'Issued - applied - refunded - recovered, adjusted for reversals, less pending refunds.',
    }),
    reserved_cents: cents.meta({ description: 'Reserved for pending refunds; it cannot be spent.' }),
    shortfall_cents: cents.meta({
      description: 'The amount that was refunded after it had been spent. Later credit covers it first.',
    }),
  })
  .meta({ id: 'Credit' });

export const PayerQuery = z.object({ member: CreditQuery.shape.member });

export const RefundCredit = z
  .strictObject({
    amount_cents: z
      .int()
      .min(1)
      .max(MAX_CENTS)
      .optional()
      .meta({ description: 'If left out, all credit that came from charges.' }),
    reason: text(500).min(3),
  })
  .meta({ id: 'CreditRefund' });

export const RefundedCreditJson = z
  .object({
    refunds: z.array(RefundJson),
    available_cents: cents,
    reserved_cents: cents,
  })
  .meta({ id: 'RefundedCredit' });

export const RefundCreditByHand = z
  .strictObject({
    amount_cents: z.int().min(1).max(MAX_CENTS),
    reference: line(200),
    note: text(250).min(3),
  })
  .meta({ id: 'CreditRefundByHand' });

export const RefundedByHandJson = z
  .object({
    entry: z.uuid().meta({ description: 'Id of the credit ledger entry.' }),
    available_cents: cents,
    reserved_cents: cents,
  })
  .meta({ id: 'CreditRefundedByHand' });
