import { integer, oneOf, stamps, tenant } from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';
import { FORUM_CREATORS } from '../vocabulary.js';

/** Settings of an organization for its forums. The row is created with the first change. */
export class ForumSettings extends defineModel({
  table: 'forum_settings',
  subject: 'forum_settings',
  columns: {
    organization_id: tenant.primaryKey().hidden(),
    forum_creators: oneOf(FORUM_CREATORS).default('admins_and_officers').meta({
      description:
        '`admins`: organization admins. `admins_and_officers`: also officers and presidents in their chapter, and regional admins in their region.',
    }),
    hide_after_flags: integer(0, 20)
      .default(3)
      .meta({ description: 'Number of flags that hide a text until a moderator decides. 0: flags never hide.' }),
    rules_version: integer(0, 2_147_483_647).default(0).serverSet().hidden(),
    version: stamps.version,
    created_at: stamps.created_at.hidden(),
    updated_at: stamps.updated_at.hidden(),
  },
}) {}
