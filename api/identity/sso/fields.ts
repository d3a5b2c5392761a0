/** Fields that every kind of identity-provider configuration has. */
import { z } from 'zod';
import { rowJson } from '../../../models/database/model/schemas.js';
import { SsoConnection } from '../../../models/identity/sso/SsoConnection.js';
import { PROVISION_STATUSES } from '../../../models/identity/sso/vocabulary.js';
import { recordId, text } from '../../../models/fields.js';

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

const sessionMaxAge = z
  .int()
  .min(1)
  .max(720)
  .meta({
    description:
      'Hours that a session goes on without a new answer of the provider, 1 to 720: whoever is disabled there is out here ' +
      'after that at the latest. Then `provider_sign_in_due`.',
  });

/** For bodies of POST. */
export const provisioning = {
  is_active: z.boolean().default(true),
  auto_provision: z
    .boolean()
    .default(false)
    .meta({
      description:
        'Creates an account and a membership for an address of the domains that nobody uses, as far as the platform has ' +
        'verified them (`verified_domains`).',
    }),
  provision_chapter: recordId.nullable().default(null).meta({
    description: 'Chapter of the members that auto_provision creates.',
  }),
  provision_status: provisionStatus.default('undergrad'),
  session_max_age_hours: sessionMaxAge.default(168),
};

/** For bodies of PATCH. */
export const provisioningEdit = {
  is_active: z.boolean().optional(),
  auto_provision: z.boolean().optional(),
  provision_chapter: recordId.nullable().optional(),
  provision_status: provisionStatus.optional(),
  session_max_age_hours: sessionMaxAge.optional(),
};

const shown = rowJson(SsoConnection).shape;

/** For answers. */
export const provisioningJson = {
  is_active: shown.is_active,
  auto_provision: shown.auto_provision,
  provision_chapter: shown.provision_chapter,
  provision_status: shown.provision_status,
  session_max_age_hours: shown.session_max_age_hours,
  verified_domains: shown.verified_domains,
};
