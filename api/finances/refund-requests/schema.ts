import { z } from 'zod';
import { rowJson } from '../../../models/database/model/schemas.js';
import { REFUND_REQUEST_STATUSES, RefundRequest } from '../../../models/finances/refunds/RefundRequest.js';
import { seenVersion, text } from '../../../models/fields.js';
import { ordering, pageQuery } from '../../http/pagination.js';

export const RefundRequestJson = rowJson(RefundRequest);

export const RefundRequestFilters = z.object({
  ...pageQuery,
  status: z.enum(REFUND_REQUEST_STATUSES).optional(),
  ordering: ordering({ created_at: 'refund_requests.id' }, '-created_at'),
});

export const RefundRequestReview = z
  .strictObject({
    decision: z.enum(['approve', 'refuse']),
    notes: text(2000).optional().meta({ description: 'Required to refuse.' }),
    waive: z.boolean().default(false).meta({ description: 'Waives the amount that the refund makes due again.' }),
    version: seenVersion,
  })
  .refine(({ decision, notes }) => decision !== 'refuse' || notes !== undefined, {
    path: ['notes'],
    message: 'Give a reason.',
  })
  .meta({ id: 'RefundRequestReview' });
