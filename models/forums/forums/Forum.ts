import { integer, link, name, oneOf, stamps, tenantKeys, text, yesOrNo } from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';
import { invalid } from '../../errors.js';
import { forumErrors } from '../errors.js';
import { FORUM_VISIBILITIES } from '../vocabulary.js';

/** A forum of the organization, of a region, or of a chapter. */
export class Forum extends defineModel({
  table: 'forums',
  subject: 'forum',
  columns: {
    ...tenantKeys,
    name: name(200).meta({ example: 'Housing' }),
    description: text(2000).nullable(),
    chapter_id: link().as('chapter').nullable().fixed(),
    region_id: link().as('region').nullable().meta({ description: 'Not together with a chapter.' }),
    visibility: oneOf(FORUM_VISIBILITIES).default('open').meta({
      description:
        '`open`: everybody in the chapter, region or organization reads, and becomes a member by reading. `approval_required`: they can request to join. `invite_only`: forum admins invite people.',
    }),
    is_archived: yesOrNo().default(false).meta({ description: 'An archived forum can only be read.' }),
    member_count: integer(0, 2_147_483_647).default(0).serverSet(),
    ...stamps,
  },
  constraints: {
    forums_one_place: () => invalid('region', 'A forum of a chapter has no region.'),
    forums_organization_id_chapter_id_fkey: () => invalid('chapter', 'There is no such chapter.'),
    forums_organization_id_region_id_fkey: () => invalid('region', 'There is no such region.'),
    forum_posts_organization_id_forum_id_fkey: forumErrors.forum_not_empty,
  },
}) {}
