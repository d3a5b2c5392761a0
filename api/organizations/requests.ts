/** What routes of all kinds of requests take and answer. */
import { z } from 'zod';
import { LONGEST_NOTES } from '../../models/organizations/requests/columns.js';
import { recordId, seenVersion, text } from '../../models/fields.js';
import { ordering, pageQuery } from '../http/pagination.js';

const MOST_AT_ONCE = 200;

const decision = z.enum(['approve', 'reject']);
const notes = text(LONGEST_NOTES).optional().meta({ description: 'Required to reject.' });

/** Whoever is refused something is told why. */
const reasoned = <Shape extends z.ZodObject>(body: Shape) =>
  body.refine((given) => given['decision'] !== 'reject' || given['notes'] !== undefined, {
    path: ['notes'],
    message: 'Say why.',
  });

/** @param more what this kind of review says besides */
export const reviewBody = <More extends z.ZodRawShape>(id: string, more: More) =>
  reasoned(z.object({ decision, notes, ...more, version: seenVersion })).meta({ id });

export const BulkReviewBody = reasoned(
  z.object({ ids: z.array(recordId).min(1).max(MOST_AT_ONCE), decision, notes }),
).meta({ id: 'BulkReview' });

/** Why one of many was refused. */
export const outcomeError = z.object({
  code: z.string(),
  detail: z.string(),
  errors: z.record(z.string(), z.array(z.string())).meta({ description: 'By field, or by what stands in the way.' }),
});

export const OutcomesJson = z.array(
  z
    .object({
      id: z.uuid(),
      status: z.string().nullable().meta({ description: 'Of the request now; null where this review was refused.' }),
      error: outcomeError.nullable().meta({
        description: 'What the review of this one alone would be refused with.',
      }),
    })
    .meta({ id: 'ReviewOutcome' }),
);

/** @param table in which a row of the list stands */
export const requestFilters = <const Status extends readonly [string, ...string[]]>(table: string, statuses: Status) =>
  z.object({
    ...pageQuery,
    status: z.enum(statuses).optional(),
    ordering: ordering({ created_at: `${table}.created_at` }, '-created_at'),
  });
