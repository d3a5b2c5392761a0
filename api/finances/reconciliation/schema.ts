import { z } from 'zod';
import { cents, day } from '../../../models/fields.js';
import { formatField } from '../../http/csvAnswer.js';

export const ReconciliationQuery = z.object({
  from: day
    .optional()
    .meta({ description: "The first day, in the organization's time zone; if left out, 29 days before the last." }),
  to: day.optional().meta({ description: 'The last day, inclusive; if left out, today.' }),
  format: formatField,
});

const sums = {
  captured_cents: cents.meta({ description: 'Charged amounts, before fees.' }),
  refunded_cents: cents.meta({ description: 'Refunds, less refunds that were returned.' }),
  disputed_cents: cents.meta({ description: 'Amounts withdrawn by disputes, less amounts reinstated.' }),
  fees_cents: cents.meta({ description: 'Fees of the provider, less returned fees.' }),
  flagged_cents: cents.meta({ description: 'Part of the charged amounts that still needs a decision.' }),
  payouts_cents: cents.meta({ description: "Payouts of the whole account to the organization's bank." }),
  difference_cents: cents.meta({
    description: 'Amount by which the provider exceeds our books: the money cases of charges that moved on this day.',
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
