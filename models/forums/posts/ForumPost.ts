import { DataTypes } from 'sequelize';
import { z } from 'zod';
import { column, integer, link, moment, oneOf, stamps, tenantKeys, yesOrNo } from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';
import { line } from '../../fields.js';
import { markdownText } from '../markdownText.js';
import { TEXT_STATUSES } from '../vocabulary.js';

/** A thread of a forum, which begins with this text. A deleted one stays as a placeholder. */
export class ForumPost extends defineModel({
  table: 'forum_posts',
  columns: {
    ...tenantKeys,
    forum_id: link().fixed(),
    author_id: link().fixed(),
    title: column(DataTypes.TEXT, line(200), z.string()).nullable(),
    body: column(DataTypes.TEXT, markdownText(20_000), z.string()).nullable(),
    body_html: column(DataTypes.TEXT, z.string()).nullable().serverSet(),
    status: oneOf(TEXT_STATUSES).default('published').serverSet(),
    published_at: moment().nullable().computed('clock_timestamp()'),
    approved_at: moment().nullable(),
    is_pinned: yesOrNo().default(false).serverSet(),
    is_locked: yesOrNo().default(false).serverSet(),
    comment_count: integer(0, 2_147_483_647).default(0).serverSet(),
    last_activity_at: moment().computed('clock_timestamp()'),
    edited_at: moment().nullable(),
    deleted_at: moment().nullable(),
    deleted_by: link().nullable().serverSet(),
    idempotency_key: column(DataTypes.TEXT, z.string()).nullable().fixed().hidden(),
    request_hash: column(DataTypes.TEXT, z.string()).fixed().hidden(),
    ...stamps,
  },
}) {}
