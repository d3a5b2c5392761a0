import { DataTypes } from 'sequelize';
import { z } from 'zod';
import {
  column,
  integer,
  link,
  moment,
  oneOf,
  stamps,
  tenant,
  tenantKeys,
  yesOrNo,
} from '../../database/model/columns.js';
import { defineModel, derived } from '../../database/model/defineModel.js';
import { invalid } from '../../errors.js';
import { line } from '../../fields.js';
import { organizationsErrors } from '../errors.js';
import { richText } from '../../richText.js';

const BULLETIN_TARGETS = ['organization', 'region', 'chapter'] as const;
export const BULLETIN_STATES = ['draft', 'scheduled', 'published', 'expired', 'refused'] as const;

/** SQL of a bulletin's state, derived from its times. */
export const STATE = `CASE WHEN bulletins.refusal IS NOT NULL THEN 'refused'
  WHEN bulletins.publish_at IS NULL THEN 'draft' WHEN bulletins.expires_at <= now() THEN 'expired'
  WHEN bulletins.publish_at > now() THEN 'scheduled' ELSE 'published' END`;

const editions = () => integer(0, 2_147_483_647).default(0).serverSet().hidden();

/** An announcement of an organization to all its members, or to those of one region or chapter. */
export class Bulletin extends defineModel({
  table: 'bulletins',
  subject: 'bulletin',
  columns: {
    ...tenantKeys,
    organization_id: tenant.as('organization'),
    author_id: link().as('author').serverSet(),
    title: column(DataTypes.TEXT, line(200), z.string()),
    body_html: column(DataTypes.TEXT, richText, z.string()).meta({ example: '<p>We meet on <b>Monday</b>.</p>' }),
    target_type: oneOf(BULLETIN_TARGETS).fixed(),
    region_id: link().nullable().serverSet().hidden(),
    chapter_id: link().nullable().serverSet().hidden(),
    publish_at: moment().nullable().meta({ description: 'Null: a draft.' }),
    expires_at: moment().nullable(),
    /**
     * The person who published or scheduled it last. A scheduled bulletin goes out only if this person may still
     * announce it.
     */
    decided_by: link().nullable().serverSet().hidden(),
    refusal: oneOf(['forbidden']).nullable().serverSet().meta({
      description: 'Why it was not published at its time: the person who scheduled it may no longer publish it.',
    }),
    is_pinned: yesOrNo().default(false).serverSet(),
    edition: editions(),
    told_edition: editions(),
    ...stamps,
  },
  derived: {
    target: derived(z.uuid().nullable(), 'coalesce(bulletins.region_id, bulletins.chapter_id)'),
    state: derived(z.enum(BULLETIN_STATES), STATE),
  },
  constraints: {
    chapter_not_active: organizationsErrors.chapter_not_active,
    bulletins_expiry: () => invalid('expires_at', 'Must be after the bulletin is published.'),
    bulletins_organization_id_region_id_fkey: () => invalid('target', 'There is no such region.'),
    bulletins_organization_id_chapter_id_fkey: () => invalid('target', 'There is no such chapter.'),
  },
}) {}
