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
      description: 'The version that you have seen, 0 of what is built in; after a change the answer is 409.',
      example: 0,
    }),
  })
  .meta({ id: 'CompletenessConfigPut' });

const percent = z.int().min(0).max(100).meta({ description: 'Rounded down: 100 only where nothing is missing.' });

export const CompletenessJson = z
  .object({
    membership: z.uuid(),
    percent,
    fields: z
      .array(z.object({ field: completenessField, is_present: z.boolean() }))
      .meta({ description: 'Those that count in the status of the membership.' }),
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
    .meta({ description: 'Of all pages, rounded down; null where nothing is asked of anybody.' }),
  whole: z.int().meta({ description: 'How many of all pages miss nothing.' }),
});

export const CompletenessQuery = z.object({
  ...pageQuery,
  ordering: ordering({ name: 'name', percent: 'percent' }, 'name'),
});
