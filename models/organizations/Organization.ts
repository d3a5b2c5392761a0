import { z } from 'zod';
import { DataTypes } from 'sequelize';
import { column, name, oneOf, platformKey, stamps, text, yesOrNo } from '../database/model/columns.js';
import { defineModel } from '../database/model/defineModel.js';
import { taken } from '../errors.js';
import { timezone } from '../fields.js';
import { OFFICERS_ADD_MEMBERS } from './vocabulary.js';

const slug = z.string().regex(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/, 'Must be of a-z, 0-9 and inner hyphens.');

const HUE = String.raw`(?:360|(?:3[0-5]\d|[12]?\d?\d)(?:\.\d+)?)`;
const SHARE = String.raw`(?:100|\d?\d(?:\.\d+)?)%`;
/** `hsl(210, 50%, 40%)`, `hsl(210 50% 40%)` and the bare `210 50% 40%` of style sheets' variables. */
const HSL = new RegExp(
  `^(?:hsl\\(${HUE}, ?${SHARE}, ?${SHARE}\\)|hsl\\(${HUE} ${SHARE} ${SHARE}\\)|${HUE} ${SHARE} ${SHARE})$`,
);
const color = z.string().trim().max(40).regex(HSL, 'Must be an HSL colour, for example hsl(210, 50%, 40%).');

/** A tenant. Everybody may look it up; it changes only inside its own transaction. */
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
      .meta({ description: 'Left on, the public directory shows the organization and its active chapters.' }),
    name_check_threshold: column(DataTypes.DOUBLE, z.number().min(0).max(1), z.number())
      .default(0.85)
      .meta({ description: 'How alike two names must be.', example: 0.85 }),
    officers_add_members: oneOf(OFFICERS_ADD_MEMBERS)
      .default('directly')
      .meta({ description: 'By request: what an officer adds waits for admins of region and organization.' }),
    timezone: column(DataTypes.TEXT, timezone, z.string())
      .default('UTC')
      .meta({ description: "Decides what 'today' is.", example: 'America/New_York' }),
    impersonation_notices: yesOrNo()
      .default(true)
      .meta({ description: 'Left on, members are mailed when an admin sees the platform as they do.' }),
    ...stamps,
  },
  constraints: { organizations_slug_unique: taken('slug', 'Another organization has this slug.') },
}) {}
