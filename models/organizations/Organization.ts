import { z } from 'zod';
import { DataTypes } from 'sequelize';
import { column, name, oneOf, platformKey, stamps, text, yesOrNo } from '../database/model/columns.js';
import { defineModel } from '../database/model/defineModel.js';
import { duplicateValue } from '../errors.js';
import { timezone } from '../fields.js';
import { OFFICERS_ADD_MEMBERS } from './vocabulary.js';

const slug = z.string().regex(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/, 'Must consist of a-z, 0-9 and inner hyphens.');

const HUE = String.raw`(?:360|(?:3[0-5]\d|[12]?\d?\d)(?:\.\d+)?)`;
const PERCENT = String.raw`(?:100|\d?\d(?:\.\d+)?)%`;
/** Matches `hsl(210, 50%, 40%)`, `hsl(210 50% 40%)`, and the bare `210 50% 40%` of CSS variables. */
const HSL = new RegExp(
  `^(?:hsl\\(${HUE}, ?${PERCENT}, ?${PERCENT}\\)|hsl\\(${HUE} ${PERCENT} ${PERCENT}\\)|${HUE} ${PERCENT} ${PERCENT})$`,
);
const color = z.string().trim().max(40).regex(HSL, 'Must be an HSL colour, for example hsl(210, 50%, 40%).');

/** A tenant. Anybody may read the row; it changes only inside the tenant's own transaction. */
export class Organization extends defineModel({
  table: 'organizations',
  subject: 'organization',
  columns: {
    ...platformKey,
    name: name(200),
    slug: column(DataTypes.TEXT, slug, z.string()).meta({ description: 'Platform admins only.' }),
    org_type: text(50).default('fraternity').meta({ example: 'fraternity' }),
    is_active: yesOrNo().default(true).meta({ description: 'Platform admins only.' }),
    primary_color: column(DataTypes.TEXT, color, z.string())
      .nullable()
      .meta({ description: 'HSL; themes the frontend.', example: 'hsl(210, 50%, 40%)' }),
    accepts_account_requests: yesOrNo().default(false),
    listed: yesOrNo()
      .default(true)
      .meta({ description: 'When true, the public directory shows the organization and its active chapters.' }),
    name_check_threshold: column(DataTypes.DOUBLE, z.number().min(0).max(1), z.number()).default(0.85).meta({
      description: 'Minimum similarity of two names, from 0 to 1, for a possible duplicate. 0 turns the check off.',
      example: 0.85,
    }),
    officers_add_members: oneOf(OFFICERS_ADD_MEMBERS).default('directly').meta({
      description:
        'By request: a member whom an officer adds needs approval by admins of the region and the organization.',
    }),
    timezone: column(DataTypes.TEXT, timezone, z.string())
      .default('UTC')
      .meta({ description: "Decides what 'today' is.", example: 'America/New_York' }),
    impersonation_notices: yesOrNo()
      .default(true)
      .meta({ description: 'When true, a member receives an email when an admin impersonates them.' }),
    ...stamps,
  },
  constraints: { organizations_slug_unique: duplicateValue('slug', 'Another organization has this slug.') },
}) {}
