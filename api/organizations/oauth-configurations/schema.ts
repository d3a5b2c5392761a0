import { z } from 'zod';
import { SECRET_ANSWERS } from '../../../gateways/oidc/clientSecret.js';
import { OAUTH_PROVIDERS } from '../../../models/identity/sso/vocabulary.js';
import {
  connectionName,
  domains,
  provisioning,
  provisioningEdit,
  provisioningJson,
  slug,
} from '../../identity/sso/fields.js';
import { pageQuery } from '../../http/pagination.js';
import { seenVersion, stamps, text } from '../../../models/fields.js';

export const ConfigurationQuery = z.object(pageQuery);

const provider = z.enum(OAUTH_PROVIDERS).meta({
  description: '`workspace` and `cloud_office` know their addresses; `generic` is any OpenID provider.',
});

const secret = z
  .string()
  .regex(/^[\x21-\x7e]{8,500}$/, 'Must be 8 to 500 characters without spaces.')
  .meta({ writeOnly: true, description: 'Kept encrypted. Never answered, logged or shown again.' });

const scopes = z
  .string()
  .trim()
  .max(500)
  .regex(/^[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/, 'Must be scopes, separated by single spaces.')
  .meta({ example: 'openid email profile' });

const allowedDomains = domains
  .refine((names) => names.length > 0, 'Name at least one domain.')
  .meta({ description: 'Only addresses of these domains may sign in.', example: ['alpha.edu'] });

const address = z.string().trim().min(1).max(500).nullable();
const directory = z.uuid().toLowerCase().nullable().meta({ description: 'cloud_office: the directory (tenant) id.' });

const trust = z.boolean().meta({
  description:
    "cloud_office: the directory's addresses count as verified without `xms_edov`, if their domain is one of " +
    '`verified_domains`. Accepted when all allowed domains are.',
});

const clientId = text(300);

export const OAuthConfigurationCreate = z
  .strictObject({
    provider,
    name: connectionName,
    slug,
    client_id: clientId,
    client_secret: secret,
    scopes: scopes.default('openid email profile'),
    allowed_domains: allowedDomains,
    directory_id: directory.default(null),
    issuer: address.default(null).meta({ description: 'generic: exactly as in its ID tokens.' }),
    authorization_url: address.default(null).meta({
      description: 'generic: with token_url and jwks_uri; left out, all are discovered at the issuer.',
    }),
    token_url: address.default(null),
    userinfo_url: address.default(null),
    trust_directory_addresses: trust.default(false),
    jwks_uri: address.default(null).meta({ description: 'generic: the keys that ID tokens are verified with.' }),
    ...provisioning,
  })
  .meta({
    id: 'OAuthConfigurationCreate',
    example: {
      provider: 'workspace',
      name: 'Alpha University',
      slug: 'alpha-university',
      client_id: '1234.apps.example.com',
      client_secret: 'a-long-client-secret',
      allowed_domains: ['alpha.edu'],
    },
  });

export const OAuthConfigurationEdit = z
  .strictObject({
    name: connectionName.optional(),
    slug: slug.optional(),
    client_id: clientId.optional(),
    client_secret: secret.optional().meta({
      writeOnly: true,
      description: 'Left out: stays. Needed again when issuer, directory or addresses change.',
    }),
    scopes: scopes.optional(),
    allowed_domains: allowedDomains.optional(),
    directory_id: directory.optional(),
    issuer: address.optional(),
    authorization_url: address.optional(),
    token_url: address.optional(),
    userinfo_url: address.optional(),
    jwks_uri: address.optional(),
    trust_directory_addresses: trust.optional(),
    ...provisioningEdit,
    version: seenVersion,
  })
  .meta({ id: 'OAuthConfigurationEdit', example: { name: 'Alpha University' } });

export const OAuthConfigurationJson = z
  .object({
    id: z.uuid(),
    provider,
    name: z.string(),
    slug: z.string(),
    client_id: z.string(),
    scopes: z.string(),
    allowed_domains: z.array(z.string()),
    directory_id: z.string().nullable(),
    issuer: z.string().nullable(),
    authorization_url: z.string().nullable(),
    token_url: z.string().nullable(),
    userinfo_url: z.string().nullable(),
    jwks_uri: z.string().nullable(),
    trust_directory_addresses: z.boolean(),
    ...provisioningJson,
    redirect_uri: z.url().meta({ description: 'To be registered at the provider.' }),
    backchannel_logout_uri: z.url().meta({
      description:
        'To be registered at the provider, with its session required (`sid`), so that log-out there ends sessions here.',
    }),
    login_url: z.url(),
    ...stamps,
  })
  .meta({ id: 'OAuthConfiguration' });

export const OAuthTestBody = z
  .strictObject({
    claims: z.record(z.string().max(200), z.unknown()).optional().meta({
      description:
        "An ID token's claims, to see how they would be read. No signature is asked for: nobody is signed in.",
    }),
  })
  .meta({
    id: 'OAuthConfigurationTest',
    example: { claims: { sub: '1', email: 'sam@alpha.edu', email_verified: true } },
  });

export const OAuthTestJson = z
  .object({
    reachable: z.boolean().meta({ description: 'Its addresses were found and its keys were read.' }),
    failure: z.string().nullable(),
    issuer: z.string().nullable(),
    authorization_url: z.string().nullable(),
    token_url: z.string().nullable(),
    jwks_uri: z.string().nullable(),
    keys: z.int().nullable(),
    client_secret: z
      .enum(SECRET_ANSWERS)
      .nullable()
      .meta({
        description:
          'Whether the provider takes the client secret, as its answer to a code that nobody gave out says. `not_told`: ' +
          'its answer does not depend on the secret.',
      }),
    attributes: z
      .object({
        subject: z.string(),
        email: z.string().nullable(),
        email_verified: z.boolean(),
        first_name: z.string().nullable(),
        last_name: z.string().nullable(),
      })
      .nullable(),
    problems: z.array(z.string()).meta({ description: 'Why these claims would not sign anybody in.' }),
  })
  .meta({ id: 'OAuthConfigurationTested' });
