import { z } from 'zod';
import { rowJson } from '../../../models/database/model/schemas.js';
import {
  CompletenessConfig,
  completenessField,
  CountedFields,
} from '../../../models/organizations/completeness/CompletenessConfig.js';
import { MEMBERSHIP_STATUSES } from '../../../models/organizations/vocabulary.js';
import { ordering, pageOf, pageQuery } from '../../http/pagination.js';

export const CompletenessConfigJson = rowJson(CompletenessConfig);

export const CompletenessConfigPut = z
  .strictObject({
    fields: CountedFields,
    version: z.int().min(0).max(2_147_483_647).optional().meta({
      description:
        'The version that you last read; 0 for the built-in default. A different current version returns 409.',
      example: 0,
    }),
  })
  .meta({ id: 'CompletenessConfigPut' });

const percent = z.int().min(0).max(100).meta({ description: 'Rounded down: 100 only if no field is missing.' });

export const CompletenessJson = z
  .object({
    membership: z.uuid(),
    percent,
    fields: z
      .array(z.object({ field: completenessField, is_present: z.boolean() }))
      .meta({ description: 'Fields that count for the status of the membership.' }),
  })
  .meta({ id: 'Completeness' });

const MemberCompletenessJson = z
  .object({
    membership: z.uuid(),
    first_name: z.string(),
    last_name: z.string(),
    status: z.enum(MEMBERSHIP_STATUSES),
    percent,
    missing: z.array(completenessField),
  })
  .meta({ id: 'MemberCompleteness' });

export const ChapterCompletenessJson = pageOf(MemberCompletenessJson).extend({
  average: z
    .int()
    .nullable()
    .meta({ description: 'Average over all pages, rounded down; null if no fields are required.' }),
  whole: z.int().meta({ description: 'Number of complete records on all pages.' }),
});

export const CompletenessQuery = z.object({
  ...pageQuery,
  ordering: ordering({ name: 'name', percent: 'percent' }, 'name'),
});
