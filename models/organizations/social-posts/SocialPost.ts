import { DataTypes } from 'sequelize';
import { z } from 'zod';
import { column, link, moment, oneOf, stamps, tenant, tenantKeys, text } from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';

const POST_STATUSES = ['draft', 'scheduled', 'publishing', 'published', 'failed', 'unknown'] as const;

/** Why a post was not made. */
const POST_FAILURES = ['not_an_admin', 'not_linked', 'not_permitted', 'refused', 'duplicate'] as const;
export type PostFailure = (typeof POST_FAILURES)[number];

const address = z.url({ protocol: /^https?$/, hostname: z.regexes.domain }).max(2_000);

/** What an organization says at the professional network, through the linked account of whoever wrote it. */
export class SocialPost extends defineModel({
  table: 'social_posts',
  subject: 'social_post',
  columns: {
    ...tenantKeys,
    organization_id: tenant.as('organization'),
    author_id: link().as('author').fixed().kept(),
    text: text(3_000),
    link_url: column(DataTypes.TEXT, address, z.string())
      .nullable()
      .default(null)
      .meta({ description: 'A page to go with it.' }),
    status: oneOf(POST_STATUSES).default('draft').kept(),
    publish_at: moment().nullable().meta({ description: 'When it is to be published, or was.' }),
    claimed_at: moment().nullable().hidden(),
    published_at: moment().nullable(),
    network_post_id: column(DataTypes.TEXT, z.string()).nullable().kept(),
    failure: oneOf(POST_FAILURES).nullable().kept().meta({ description: 'Why it is not there, of one that failed.' }),
    ...stamps,
  },
}) {}
