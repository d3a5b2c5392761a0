import { z } from 'zod';
import { ordering, pageQuery } from '../../http/pagination.js';
import { flag, seenVersion, stamps, text } from '../../../models/fields.js';
import { invitation, invitee, person } from '../people.js';

const title = text(100).nullable().optional();

export const AdminFilters = z.object({
  ...pageQuery,
  is_active: flag.optional(),
  ordering: ordering({ name: `(u.last_name || ' ' || u.first_name)`, created_at: 'a.created_at' }, 'name'),
});

export const AdminInvite = z.object({ ...invitee, title }).meta({ id: 'OrganizationAdminInvite' });

export const AdminEdit = z
  .object({ title, is_active: z.boolean().optional(), version: seenVersion })
  .meta({ id: 'OrganizationAdminEdit' });

export const AdminJson = z
  .object({ id: z.uuid(), ...person, title: z.string().nullable(), is_active: z.boolean(), invitation, ...stamps })
  .meta({ id: 'OrganizationAdmin' });
