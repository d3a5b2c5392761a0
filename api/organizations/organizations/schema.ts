import { z } from 'zod';
import { ordering, pageQuery } from '../../http/pagination.js';
import { flag, moment, searchText, seenVersion, stamps, text } from '../../../models/fields.js';

const HUE = String.raw`(?:360|(?:3[0-5]\d|[12]?\d?\d)(?:\.\d+)?)`;
const SHARE = String.raw`(?:100|\d?\d(?:\.\d+)?)%`;
/** `hsl(210, 50%, 40%)`, `hsl(210 50% 40%)` and the bare `210 50% 40%` of style sheets' variables. */
const HSL = new RegExp(
  `^(?:hsl\\(${HUE}, ?${SHARE}, ?${SHARE}\\)|hsl\\(${HUE} ${SHARE} ${SHARE}\\)|${HUE} ${SHARE} ${SHARE})$`,
);

const color = z
  .string()
  .trim()
  .max(40)
  .regex(HSL, 'Must be an HSL colour, for example hsl(210, 50%, 40%).')
  .nullable()
  .meta({ description: 'HSL; themes the frontend.', example: 'hsl(210, 50%, 40%)' });

/** Fixed offsets and the like are no places: they know no summer time. */
function isZone(name: string): boolean {
  try {
    return /^[A-Za-z]/.test(name) && Boolean(new Intl.DateTimeFormat('en', { timeZone: name }));
  } catch {
    return false;
  }
}

export const OrganizationFilters = z.object({
  ...pageQuery,
  is_active: flag.optional(),
  search: searchText.meta({ description: 'In name and slug.' }),
  ordering: ordering({ name: 'o.name', slug: 'o.slug', created_at: 'o.created_at' }, 'name'),
});

export const OrganizationEdit = z
  .object({
    name: text(200).optional(),
    slug: z
      .string()
      .regex(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/, 'Must be of a-z, 0-9 and inner hyphens.')
      .optional()
      .meta({ description: 'Platform admins only.' }),
    org_type: text(50).optional(),
    is_active: z.boolean().optional().meta({ description: 'Platform admins only.' }),
    primary_color: color.optional(),
    accepts_account_requests: z.boolean().optional(),
    name_check_threshold: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .meta({ description: 'How alike two names must be.', example: 0.85 }),
    timezone: z
      .string()
      .max(64)
      .refine(isZone, 'Must be a name of the tz database, for example America/New_York.')
      .optional()
      .meta({ description: "Decides what 'today' is.", example: 'America/New_York' }),
    impersonation_notices: z
      .boolean()
      .optional()
      .meta({ description: 'Left on, members are mailed when an admin sees the platform as they do.' }),
    version: seenVersion,
  })
  .meta({ id: 'OrganizationEdit' });

export const OrganizationJson = z
  .object({
    id: z.uuid(),
    name: z.string(),
    slug: z.string(),
    org_type: z.string().meta({ example: 'fraternity' }),
    is_active: z.boolean(),
    primary_color: z.string().nullable().meta({ example: 'hsl(210, 50%, 40%)' }),
    accepts_account_requests: z.boolean(),
    name_check_threshold: z.number(),
    timezone: z.string().meta({ example: 'America/New_York' }),
    impersonation_notices: z
      .boolean()
      .meta({ description: 'Whether members are mailed when an admin sees the platform as they do.' }),
    version: stamps.version,
    created_at: moment,
    updated_at: moment,
  })
  .meta({ id: 'Organization' });
