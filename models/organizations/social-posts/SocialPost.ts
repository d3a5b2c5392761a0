import { DataTypes } from 'sequelize';
import { z } from 'zod';
import { column, link, moment, oneOf, stamps, tenant, tenantKeys, text } from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';

const POST_STATUSES = ['draft', 'scheduled', 'publishing', 'published', 'failed', 'unknown'] as const;

/** Reasons why a post was not published. */
const POST_FAILURES = ['not_an_admin', 'not_linked', 'not_permitted', 'refused', 'duplicate'] as const;
export type PostFailure = (typeof POST_FAILURES)[number];

const address = z.url({ protocol: /^https?$/, hostname: z.regexes.domain }).max(2_000);

/** A post of an organization on the professional network, published through the author's linked account. */
export class SocialPost extends defineModel({
  table: 'social_posts',
  subject: 'social_post',
  columns: {
    ...tenantKeys,
    organization_id: tenant.as('organization'),
    author_id: link().as('author').fixed().serverSet(),
    text: text(3_000),
    link_url: column(DataTypes.TEXT, address, z.string())
      .nullable()
      .default(null)
      .meta({ description: 'A link that is attached to the post.' }),
    status: oneOf(POST_STATUSES).default('draft').serverSet(),
    publish_at: moment().nullable().meta({ description: 'The planned or actual time of publication.' }),
    claimed_at: moment().nullable().hidden(),
    published_at: moment().nullable(),
    network_post_id: column(DataTypes.TEXT, z.string()).nullable().serverSet(),
    failure: oneOf(POST_FAILURES).nullable().serverSet().meta({ description: 'Why a failed post was not published.' }),
    ...stamps,
  },
}) {}
