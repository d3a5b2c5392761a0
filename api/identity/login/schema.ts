import { z } from 'zod';
import { config, DEMO_LOGIN } from '../../../config.js';
import { AccountJson, AccountOrganizationJson, organizationField, tokenFields } from '../schema.js';

/** In development the example works with the demo data as it is. */
const example = config.production ? { email: 'jordan@example.org', password: 'your password' } : DEMO_LOGIN;

export const LoginBody = z
  .object({
    email: z.string().min(1).max(254).meta({ example: example.email }),
    password: z.string().max(1024),
    organization: organizationField
      .optional()
      .meta({ description: 'Id or slug. Default: the last used organization, else the oldest affiliation.' }),
  })
  .meta({ id: 'Login', example });

export const ClientHeader = z.object({
  'X-Client': z
    .enum(['web', 'native'])
    .optional()
    .meta({ description: '`native`: tokens in the body, no cookies. Anything else means web.' }),
});

export const LoginJson = z
  .object({
    user: AccountJson,
    organization: AccountOrganizationJson.nullable().meta({
      description: 'Null for platform admins, who name theirs with X-Organization-Id.',
    }),
    ...tokenFields,
  })
  .meta({ id: 'LoggedIn' });
