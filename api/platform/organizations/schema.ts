import { z } from 'zod';
import { name } from '../../../models/fields.js';
import { invitee } from '../../organizations/people.js';
import { OrganizationEdit } from '../../organizations/organizations/schema.js';

const { slug, timezone, org_type } = OrganizationEdit.shape;

export const NewOrganizationBody = z
  .object({
    name: name(200),
    slug: slug.unwrap(),
    org_type,
    timezone,
    admin: z.object(invitee).optional().meta({ description: 'The first admin.' }),
  })
  .meta({
    id: 'NewOrganization',
    example: { name: 'Alpha Beta', slug: 'alpha-beta', admin: { email: 'sam@example.org' } },
  });
