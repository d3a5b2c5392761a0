import { z } from 'zod';
import { SECRET_ANSWERS } from '../../../gateways/oidc/clientSecret.js';
import { OAUTH_PROVIDERS } from '../../../models/identity/sso/vocabulary.js';
import { CONNECTION, OAUTH } from '../../identity/sso/bodies.js';
import { pageQuery } from '../../http/pagination.js';

export const ConfigurationQuery = z.object(pageQuery);

const provider = z.enum(OAUTH_PROVIDERS).meta({
  description: '`workspace` and `cloud_office` have built-in URLs; `generic` is any OpenID provider.',
});

const secret = z
  .string()
  .regex(/^[\x21-\x7e]{8,500}$/, 'Must be 8 to 500 characters without spaces.')
  .meta({ writeOnly: true, description: 'Stored encrypted. Never returned or logged.' });

const { domains: _, ...connection } = CONNECTION.create;
const { domains, version, ...connectionEdit } = CONNECTION.edit;
const { version: __, ...configurationEdit } = OAUTH.edit;

const allowedDomains = domains
  .unwrap()
  .refine((names) => names.length > 0, 'Must contain at least one domain.')
  .meta({ description: 'Only addresses of these domains may sign in.', example: ['alpha.edu'] });

export const OAuthConfigurationCreate = z
  .strictObject({
    provider,
    ...connection,
    client_secret: secret,
    allowed_domains: allowedDomains,
    ...OAUTH.create,
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
    ...connectionEdit,
    client_secret: secret.optional().meta({
      writeOnly: true,
      description: 'Unchanged if omitted. Required when issuer, directory or URLs change.',
    }),
    allowed_domains: allowedDomains.optional(),
    ...configurationEdit,
    version,
  })
  .meta({ id: 'OAuthConfigurationEdit', example: { name: 'Alpha University' } });

const { domains: shownDomains, ...shownConnection } = CONNECTION.json;

export const OAuthConfigurationJson = z
  .object({
    ...shownConnection,
    provider,
    allowed_domains: shownDomains,
    ...OAUTH.json,
    redirect_uri: z.url().meta({ description: 'Register this URL at the provider.' }),
    backchannel_logout_uri: z.url().meta({
      description:
        'Register this URL at the provider with session ids (`sid`) required, so that a logout there ends sessions here.',
    }),
    login_url: z.url(),
  })
  .meta({ id: 'OAuthConfiguration' });

export const OAuthTestBody = z
  .strictObject({
    claims: z.record(z.string().max(200), z.unknown()).optional().meta({
      description: 'Claims of an ID token, to test the mapping. The signature is not checked, and no one is signed in.',
    }),
  })
  .meta({
    id: 'OAuthConfigurationTest',
    example: { claims: { sub: '1', email: 'sam@alpha.edu', email_verified: true } },
  });

export const OAuthTestJson = z
  .object({
    reachable: z.boolean().meta({ description: 'True if the URLs and keys of the provider were read.' }),
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
          'Whether the provider accepts the client secret, tested with an invalid authorization code. `not_told`: ' +
          'the response does not depend on the secret.',
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
    problems: z.array(z.string()).meta({ description: 'Reasons why these claims would not lead to a sign-in.' }),
  })
  .meta({ id: 'OAuthConfigurationTested' });
