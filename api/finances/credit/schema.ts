import { z } from 'zod';
import { CREDIT_KINDS } from '../../../models/finances/credit/readCredit.js';
import { pageOf, pageQuery } from '../../http/pagination.js';
import { cents, moment, recordId } from '../../../models/fields.js';

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
        'shortfall: a payment was refunded whose credit was spent for good; recovered: later credit that covers a shortfall.',
    }),
    amount_cents: cents,
    effect_cents: cents.meta({ description: 'What the entry did to the available credit.' }),
    invoice: z.uuid().nullable().meta({ description: 'Where it was applied, or whose payment it came from.' }),
    payment: z.uuid().nullable(),
    reverses: z.uuid().nullable(),
    reason: z.string(),
    created_by: z.uuid().nullable(),
    created_at: moment,
  })
  .meta({ id: 'CreditEntry' });

export const ShortfallJson = z
  .object({
    id: z.uuid().meta({ description: 'The entry of the credit ledger.' }),
    chapter: z.uuid(),
    chapter_name: z.string(),
    member: z.uuid().nullable().meta({ description: 'Null: the chapter itself.' }),
    amount_cents: cents.meta({ description: 'As it was noted.' }),
    shortfall_cents: cents.meta({ description: 'What the payer is short of altogether, now.' }),
    invoice: z.uuid().nullable(),
    payment: z
      .uuid()
      .nullable()
      .meta({ description: 'The payment that was refunded, where it was one of an invoice.' }),
    created_at: moment,
  })
  .meta({ id: 'CreditShortfall' });

export const ShortfallQuery = z.object(pageQuery);

export const CreditJson = pageOf(CreditEntryJson)
  .extend({
    chapter: z.uuid(),
    member: z.uuid().nullable(),
    available_cents: cents.meta({ description: 'Issued - applied - refunded - recovered, adjusted for reversals.' }),
    shortfall_cents: cents.meta({
      description: 'What was refunded after it had been spent for good. Credit that comes later covers it first.',
    }),
  })
  .meta({ id: 'Credit' });
