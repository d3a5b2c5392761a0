import { z } from 'zod';
import { REGIONAL_ROLES } from '../../../models/organizations/vocabulary.js';
import { ordering, pageQuery } from '../../http/pagination.js';
import { flag, recordId, seenVersion, stamps, text } from '../../../models/fields.js';
import { invitation, invitee, person } from '../people.js';

const role = z.enum(REGIONAL_ROLES);
const title = text(100).nullable().optional();

export const RegionalAdminFilters = z.object({
  ...pageQuery,
  region: recordId.optional(),
  is_active: flag.optional(),
  ordering: ordering({ name: `(u.last_name || ' ' || u.first_name)`, created_at: 'a.created_at' }, 'name'),
});

export const RegionalAdminInvite = z
  .object({ ...invitee, region: recordId, role, title })
  .meta({ id: 'RegionalAdminInvite' });

export const RegionalAdminEdit = z
  .object({ role: role.optional(), title, is_active: z.boolean().optional(), version: seenVersion })
  .meta({ id: 'RegionalAdminEdit' });

export const RegionalAdminJson = z
  .object({
    id: z.uuid(),
    ...person,
    region: z.uuid(),
    role,
    title: z.string().nullable(),
    is_active: z.boolean(),
    invitation,
    ...stamps,
  })
  .meta({ id: 'RegionalAdmin' });
