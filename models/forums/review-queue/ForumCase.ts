import { z } from 'zod';
import { json, link, moment, oneOf, stamps, tenantKeys, text } from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';
import { CASE_ORIGINS, CASE_STATUSES, RULE_KINDS } from '../vocabulary.js';

/** A decision about a text of a forum, which waits or was made. Its operations write the audit log. */
export class ForumCase extends defineModel({
  table: 'forum_cases',
  columns: {
    ...tenantKeys,
    forum_id: link().fixed(),
    post_id: link().fixed(),
    comment_id: link().nullable().fixed(),
    text_id: link().serverSet(),
    author_id: link().fixed(),
    opened_by: oneOf(CASE_ORIGINS).fixed(),
    matched_rules: json(z.array(z.object({ kind: z.enum(RULE_KINDS), pattern: z.string() }))).default([]),
    status: oneOf(CASE_STATUSES).default('open').serverSet(),
    decided_by: link().nullable().serverSet(),
    decided_at: moment().nullable(),
    reason: text(1000).nullable(),
    appeal_text: text(2000).nullable(),
    appealed_at: moment().nullable(),
    appeal_decided_by: link().nullable().serverSet(),
    appeal_decided_at: moment().nullable(),
    appeal_reason: text(1000).nullable(),
    ...stamps,
  },
}) {}
