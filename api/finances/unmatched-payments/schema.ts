import { z } from 'zod';
import { RESOLUTION_STATUSES, RESOLUTIONS } from '../../../models/finances/captures/resolutions.js';
import { UNMATCHED_STATES } from '../../../models/finances/captures/unmatchedPayments.js';
import { pageQuery } from '../../http/pagination.js';
import { cents, moment } from '../../../models/fields.js';

export const UnmatchedFilters = z.object({
  ...pageQuery,
  resolved: z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .optional()
    .meta({
      description: 'If left out, resolved and unresolved payments. A payment with a pending refund is unresolved.',
    }),
});

const ResolutionJson = z
  .object({
    id: z.uuid(),
    resolution: z.enum(RESOLUTIONS),
    status: z.enum(RESOLUTION_STATUSES),
    amount_cents: cents.meta({ description: 'The refunded or kept amount: all that remained at that moment.' }),
    payer: z.object({ chapter: z.uuid(), membership: z.uuid().nullable() }).nullable(),
    note: z.string(),
    failure_code: z.string().nullable().meta({ description: 'Why the provider refused the refund.' }),
    requested_by: z.uuid().nullable().meta({ description: 'Null: a process requested it.' }),
    created_at: moment,
    finished_at: moment.nullable(),
  })
  .meta({ id: 'UnmatchedPaymentResolution' });

export const UnmatchedPaymentJson = z
  .object({
    id: z.uuid(),
    processor: z.uuid(),
    processor_payment_id: z.string().meta({ description: "The charge's id at the provider." }),
    amount_cents: cents,
    refunded_cents: cents,
    currency: z.string().nullable(),
    state: z.enum(UNMATCHED_STATES),
    resolution: ResolutionJson.nullable().meta({
      description: 'The latest decision. A failed one leaves the payment unresolved.',
    }),
    created_at: moment,
  })
  .meta({ id: 'UnmatchedPayment', description: 'A charge that matches no invoice or remittance here.' });

const Payer = z
  .strictObject({
    chapter: z.uuid().toLowerCase(),
    membership: z
      .uuid()
      .toLowerCase()
      .optional()
      .meta({ description: 'A membership of the chapter; if left out, the chapter itself.' }),
  })
  .meta({ id: 'UnmatchedPaymentPayer' });

export const UnmatchedResolve = z
  .strictObject({
    resolution: z.enum(RESOLUTIONS).meta({ example: 'keep_as_credit' }),
    payer: Payer.optional().meta({
      description: 'The payer who gets the credit; required for keep_as_credit, and not allowed otherwise.',
    }),
    note: z.string().trim().min(1).max(2000),
  })
  .superRefine(({ resolution, payer }, context) => {
    if ((resolution === 'keep_as_credit') === (payer !== undefined)) return;
    const message = payer ? 'Only allowed with keep_as_credit.' : 'Name the payer who gets the credit.';
    context.addIssue({ code: 'custom', path: ['payer'], message });
  })
  .meta({ id: 'UnmatchedPaymentResolve' });
