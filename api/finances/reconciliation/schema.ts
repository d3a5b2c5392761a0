import { z } from 'zod';
import { cents, day } from '../../../models/fields.js';

export const ReconciliationQuery = z.object({
  from: day
    .optional()
    .meta({ description: "The first day, by the organization's clock; left out: the 29th before the last." }),
  to: day.optional().meta({ description: 'The last day, which counts; left out: today.' }),
  format: z.enum(['json', 'csv']).default('json').meta({ description: '`csv`: the same days as a table.' }),
});

const sums = {
  captured_cents: cents.meta({ description: 'What charges took, before fees.' }),
  refunded_cents: cents.meta({ description: 'What went back, less what came again.' }),
  disputed_cents: cents.meta({ description: 'What disputes took, less what they returned.' }),
  fees_cents: cents.meta({ description: 'What the provider kept, less what it returned.' }),
  flagged_cents: cents.meta({ description: 'Of what charges took: what still waits for somebody.' }),
  payouts_cents: cents.meta({ description: "What went to the organization's own bank, of the whole account." }),
  difference_cents: cents.meta({
    description: 'By how much the provider has more than our books: the money cases of charges that moved on this day.',
  }),
};
/** Columns of amounts, in the order of the table. */
export const SUMS = Object.keys(sums) as (keyof typeof sums)[];

const ReconciliationDayJson = z
  .object({
    day: z.iso.date(),
    ...sums,
    compared: z.boolean().meta({ description: 'Whether a run has compared the whole day with our books.' }),
  })
  .meta({ id: 'ReconciliationDay' });

export const ReconciliationJson = z
  .object({
    from: z.iso.date(),
    to: z.iso.date(),
    timezone: z.string(),
    currency: z.string(),
    days: z.array(ReconciliationDayJson),
    total: z.object(sums),
  })
  .meta({ id: 'Reconciliation' });
