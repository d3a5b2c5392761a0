import { DataTypes } from 'sequelize';
import { z } from 'zod';
import { column, link, moment, oneOf, stamps, tenantKeys } from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';
import { markdownText } from '../markdownText.js';
import { TEXT_STATUSES } from '../vocabulary.js';

/** A reply to a post. A deleted one stays as a placeholder. */
export class ForumComment extends defineModel({
  table: 'forum_comments',
  columns: {
    ...tenantKeys,
    forum_id: link().fixed(),
    post_id: link().fixed(),
    author_id: link().fixed(),
    body: column(DataTypes.TEXT, markdownText(10_000), z.string()).nullable(),
    body_html: column(DataTypes.TEXT, z.string()).nullable().serverSet(),
    status: oneOf(TEXT_STATUSES).default('published').serverSet(),
    published_at: moment().nullable().computed('clock_timestamp()'),
    approved_at: moment().nullable(),
    edited_at: moment().nullable(),
    deleted_at: moment().nullable(),
    deleted_by: link().nullable().serverSet(),
    idempotency_key: column(DataTypes.TEXT, z.string()).nullable().fixed().hidden(),
    request_hash: column(DataTypes.TEXT, z.string()).fixed().hidden(),
    version: stamps.version,
    created_at: moment().computed('clock_timestamp()'),
    updated_at: stamps.updated_at,
  },
}) {}
