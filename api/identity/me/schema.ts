import { z } from 'zod';
import { pageQuery } from '../../http/pagination.js';
import { AccountJson, AccountOrganizationJson } from '../schema.js';
import { moment } from '../../../models/fields.js';

export const MeJson = z
  .object({
    user: AccountJson,
    session: z.object({ id: z.uuid(), client: z.enum(['web', 'native']) }),
    impersonation: z
      .object({ by: z.uuid(), ends_at: moment })
      .nullable()
      .meta({ description: 'The admin who impersonates you, and until when; null in a session of your own.' }),
    organization: AccountOrganizationJson.nullable().meta({
      description: 'Null for platform admins without X-Organization-Id.',
    }),
    is_organization_admin: z.boolean(),
    regions: z
      .array(z.object({ id: z.uuid(), role: z.string() }))
      .meta({ description: 'Regions that the person administers in this organization.' }),
    memberships: z
      .array(z.object({ id: z.uuid(), chapter: z.uuid(), role: z.string(), status: z.string() }))
      .meta({ description: 'Memberships in this organization.' }),
  })
  .meta({ id: 'Me' });

export const OwnOrganizationQuery = z.object(pageQuery);

export const OwnOrganizationJson = z
  .object({
    id: z.uuid(),
    name: z.string(),
    slug: z.string(),
    kinds: z.array(z.enum(['member', 'organization_admin', 'regional_admin'])),
    is_current: z.boolean(),
  })
  .meta({ id: 'OwnOrganization' });
