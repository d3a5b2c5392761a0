/** Fields that every kind of identity-provider configuration has. */
import { z } from 'zod';
import { PROVISION_STATUSES } from '../../../models/identity/sso/connections.js';
import { recordId, text } from '../../organizations/fields.js';

const DOMAIN = /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;

/** An e-mail domain, in lower case. */
export const domain = z.string().trim().toLowerCase().regex(DOMAIN, 'Must be a domain, for example university.edu.');

export const domains = z
  .array(domain)
  .max(50)
  .transform((names) => [...new Set(names)]);

export const slug = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/, 'Must be lower-case letters, digits and dashes.')
  .meta({ description: 'Part of the sign-in addresses; unique on the whole platform.', example: 'alpha-university' });

export const connectionName = text(100).meta({
  description: 'What the sign-in button says.',
  example: 'Alpha University',
});

const provisionStatus = z.enum(PROVISION_STATUSES);

/** For bodies of POST. */
export const provisioning = {
  is_active: z.boolean().default(true),
  auto_provision: z.boolean().default(false).meta({
    description: 'Creates an account and a membership for an address of the domains that nobody uses.',
  }),
  provision_chapter: recordId.nullable().default(null).meta({
    description: 'Chapter of the members that auto_provision creates.',
  }),
  provision_status: provisionStatus.default('undergrad'),
};

/** For bodies of PATCH. */
export const provisioningEdit = {
  is_active: z.boolean().optional(),
  auto_provision: z.boolean().optional(),
  provision_chapter: recordId.nullable().optional(),
  provision_status: provisionStatus.optional(),
};

/** For answers. */
export const provisioningJson = {
  is_active: z.boolean(),
  auto_provision: z.boolean(),
  provision_chapter: z.uuid().nullable(),
  provision_status: provisionStatus,
};
