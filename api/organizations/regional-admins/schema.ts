import { z } from 'zod';
import { createBody, editBody, rowJson } from '../../../models/database/model/schemas.js';
import { RegionalAdmin } from '../../../models/organizations/RegionalAdmin.js';
import { ordering, pageQuery } from '../../http/pagination.js';
import { flag, recordId } from '../../../models/fields.js';
import { invitation, invitee, person } from '../people.js';

export const RegionalAdminFilters = z.object({
  ...pageQuery,
  region: recordId.optional(),
  is_active: flag.optional(),
  ordering: ordering({ name: `(u.last_name || ' ' || u.first_name)`, created_at: 'a.created_at' }, 'name'),
});

const { region, role, title } = createBody(RegionalAdmin).shape;

export const RegionalAdminInvite = z.object({ ...invitee, region, role, title }).meta({ id: 'RegionalAdminInvite' });

export const RegionalAdminEdit = editBody(RegionalAdmin);

export const RegionalAdminJson = z
  .object({ ...rowJson(RegionalAdmin).shape, ...person, invitation })
  .meta({ id: 'RegionalAdmin' });
