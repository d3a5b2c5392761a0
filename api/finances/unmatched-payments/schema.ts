import { z } from 'zod';
import { RESOLUTION_STATUSES, RESOLUTIONS } from '../../../models/finances/captures/CaptureResolution.js';
import { UNMATCHED_STATES } from '../../../models/finances/captures/unmatchedPayments.js';
import { pageQuery } from '../../http/pagination.js';
import { cents, moment } from '../../../models/fields.js';

export const UnmatchedFilters = z.object({
  ...pageQuery,
  resolved: z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .optional()
    .meta({ description: 'Left out: what waits and what was dealt with. A refund that is under way still waits.' }),
});

const ResolutionJson = z
  .object({
    id: z.uuid(),
    resolution: z.enum(RESOLUTIONS),
    status: z.enum(RESOLUTION_STATUSES),
    amount_cents: cents.meta({ description: 'What goes back, or was kept: all that was left at that moment.' }),
    payer: z.object({ chapter: z.uuid(), membership: z.uuid().nullable() }).nullable(),
    note: z.string(),
    failure_code: z.string().nullable().meta({ description: 'Why the provider keeps the money.' }),
    requested_by: z.uuid(),
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
    resolution: ResolutionJson.nullable().meta({ description: 'The last decision. One that failed leaves it open.' }),
    created_at: moment,
  })
  .meta({ id: 'UnmatchedPayment', description: 'Money that a processor took and that was for nothing here.' });

const Payer = z
  .strictObject({
    chapter: z.uuid().toLowerCase(),
    membership: z
      .uuid()
      .toLowerCase()
      .optional()
      .meta({ description: "Of the chapter; left out, it is the chapter's own." }),
  })
  .meta({ id: 'UnmatchedPaymentPayer' });

export const UnmatchedResolve = z
  .strictObject({
    resolution: z.enum(RESOLUTIONS).meta({ example: 'keep_as_credit' }),
    payer: Payer.optional().meta({ description: 'Whose credit it becomes: for keep_as_credit, and only for that.' }),
    note: z.string().trim().min(1).max(2000),
  })
  .superRefine(({ resolution, payer }, context) => {
    if ((resolution === 'keep_as_credit') === (payer !== undefined)) return;
    const message = payer ? "Money that goes back becomes nobody's credit." : 'Say whose credit it becomes.';
    context.addIssue({ code: 'custom', path: ['payer'], message });
  })
  .meta({ id: 'UnmatchedPaymentResolve' });
