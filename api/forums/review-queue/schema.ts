import { z } from 'zod';
import { moment, text, version } from '../../../models/fields.js';
import { MAX_SHOWN_FLAGS } from '../../../models/forums/review-queue/readCases.js';
import {
  CASE_DECISIONS,
  CASE_ORIGINS,
  CASE_STATUSES,
  RULE_KINDS,
  TEXT_STATUSES,
} from '../../../models/forums/vocabulary.js';

const person = z.object({ id: z.uuid(), first_name: z.string(), last_name: z.string() });

export const CaseJson = z
  .object({
    id: z.uuid(),
    forum: z.object({ id: z.uuid(), name: z.string() }),
    post: z.uuid(),
    comment: z.uuid().nullable().meta({ description: 'Null if the case is about the post.' }),
    author: person,
    title: z
      .string()
      .nullable()
      .meta({ description: 'Title of the post. Null once its author has deleted it, or it is erased.' }),
    status: z.enum(CASE_STATUSES).meta({
      description:
        '`open` and `appealed` wait for a decision. `closed`: the author deleted the text before a decision.',
    }),
    text_status: z.enum(TEXT_STATUSES),
    opened_by: z.enum(CASE_ORIGINS),
    matched_rules: z.array(z.object({ kind: z.enum(RULE_KINDS), pattern: z.string() })),
    flag_count: z.int(),
    can_decide: z.boolean().meta({ description: 'False for your own text, and for an appeal against your removal.' }),
    created_at: moment,
    appealed_at: moment.nullable(),
    version,
  })
  .meta({ id: 'ForumCase' });

export const CaseDetailJson = CaseJson.extend({
  body: z.string().nullable().meta({ description: 'Null once its author has deleted it, or it is erased.' }),
  body_html: z.string().nullable(),
  flags: z
    .array(z.object({ user: person, reason: z.string().nullable(), note: z.string().nullable(), created_at: moment }))
    .meta({ description: `The newest flags, at most ${MAX_SHOWN_FLAGS}.` }),
  decided_by: z.uuid().nullable(),
  decided_at: moment.nullable(),
  reason: z.string().nullable(),
  appeal_text: z.string().nullable(),
  appeal_decided_by: z.uuid().nullable(),
  appeal_decided_at: moment.nullable(),
  appeal_reason: z.string().nullable(),
}).meta({ id: 'ForumCaseDetail' });

export const CaseDecision = z
  .object({
    decision: z.enum(CASE_DECISIONS),
    reason: text(1000).optional().meta({ description: 'Required to remove a text. Its author reads it.' }),
    version: z
      .int()
      .min(1)
      .max(2_147_483_647)
      .meta({ description: 'The version of the case that you read. It changes when the author changes the text.' }),
  })
  .meta({ id: 'ForumCaseDecision', example: { decision: 'remove', reason: 'Advertising.', version: 1 } });
