/** Request bodies, filters and responses shared by all kinds of requests that are reviewed. */
import { z } from 'zod';
import type { Kind } from '../../models/database/model/defineModel.js';
import { filterFields } from '../../models/database/model/schemas.js';
import { MAX_NOTES_LENGTH } from '../../models/organizations/requests/columns.js';
import { recordId, seenVersion, text } from '../../models/fields.js';
import { ordering, pageQuery } from '../http/pagination.js';

const MAX_BULK_REVIEW = 200;

const decision = z.enum(['approve', 'reject']);
const notes = text(MAX_NOTES_LENGTH).optional().meta({ description: 'Required to reject.' });

/** Requires notes for a rejection, since the requester is told the reason. */
const withReason = <Shape extends z.ZodObject>(body: Shape) =>
  body.refine((review) => review['decision'] !== 'reject' || review['notes'] !== undefined, {
    path: ['notes'],
    message: 'Give a reason.',
  });

/**
 * Returns the schema of a review.
 * @param more further fields of this kind of review
 */
export const reviewBody = <More extends z.ZodRawShape>(id: string, more: More) =>
  withReason(z.object({ decision, notes, ...more, version: seenVersion })).meta({ id });

export const BulkReviewBody = withReason(
  z.object({ ids: z.array(recordId).min(1).max(MAX_BULK_REVIEW), decision, notes }),
).meta({ id: 'BulkReview' });

/** Reason why one request of a bulk review was refused. */
export const outcomeError = z.object({
  code: z.string(),
  detail: z.string(),
  errors: z
    .record(z.string(), z.array(z.string()))
    .meta({ description: 'Messages by the name of the field or of the obstacle.' }),
});

export const OutcomesJson = z.array(
  z
    .object({
      id: z.uuid(),
      status: z
        .string()
        .nullable()
        .meta({ description: 'Current status of the request; null if its review was refused.' }),
      error: outcomeError.nullable().meta({
        description: 'The error that a review of this request alone would return.',
      }),
    })
    .meta({ id: 'ReviewOutcome' }),
);

/** Returns the query of a list of requests. */
export const requestFilters = (model: Kind) =>
  z.object({
    ...pageQuery,
    status: filterFields(model, ['status'])['status'] as z.ZodOptional<z.ZodType<string>>,
    ordering: ordering({ created_at: `${model.definition.table}.created_at` }, '-created_at'),
  });
