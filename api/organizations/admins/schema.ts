import { z } from 'zod';
import { createBody, editBody, rowJson } from '../../../models/database/model/schemas.js';
import { OrganizationAdmin } from '../../../models/organizations/OrganizationAdmin.js';
import { ordering, pageQuery } from '../../http/pagination.js';
import { flag } from '../../../models/fields.js';
import { invitation, invitee, person } from '../people.js';

export const AdminFilters = z.object({
  ...pageQuery,
  is_active: flag.optional(),
  ordering: ordering({ name: `(u.last_name || ' ' || u.first_name)`, created_at: 'a.created_at' }, 'name'),
});

const { title } = createBody(OrganizationAdmin).shape;

export const AdminInvite = z.object({ ...invitee, title }).meta({ id: 'OrganizationAdminInvite' });

export const AdminEdit = editBody(OrganizationAdmin);

export const AdminJson = z
  .object({ ...rowJson(OrganizationAdmin).shape, ...person, invitation })
  .meta({ id: 'OrganizationAdmin' });
