import { z } from 'zod';
import { emailAddress } from '../../../models/fields.js';
import { platformOf } from '../../../models/identity/sso/redirects.js';
import { AccountJson, AccountOrganizationJson, tokenFields } from '../schema.js';
import { domain } from '../../../models/identity/sso/fields.js';

export const ExchangeBody = z
  .strictObject({
    code: z.string().min(1).max(200),
    // A malformed verifier is not refused here: like any wrong verifier, it is checked after the code has been used up.
    code_verifier: z.string().max(1000).optional().meta({
      description: 'The verifier whose S256 challenge the sign-in began with. Apps always have one.',
    }),
  })
  .meta({ id: 'SsoExchange', example: { code: 'pA1…', code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk' } });

export const ExchangedJson = z
  .object({ user: AccountJson, organization: AccountOrganizationJson, ...tokenFields })
  .meta({ id: 'SsoExchanged' });

export const DiscoverQuery = z
  .strictObject({
    email: emailAddress
      .transform((address) => address.slice(address.lastIndexOf('@') + 1))
      .optional()
      .meta({ description: 'Only its domain is used.', example: 'sam@alpha.edu', override: { type: 'string' } }),
    domain: domain.optional().meta({ example: 'alpha.edu' }),
  })
  .refine(({ email, domain: name }) => (email === undefined) !== (name === undefined), {
    path: ['domain'],
    message: 'Send an email or a domain.',
  });

const button = {
  name: z.string(),
  provider: z.enum(['saml', 'workspace', 'cloud_office', 'generic']),
  kind: z.enum(['saml', 'oauth']),
  slug: z.string(),
  login_url: z.url(),
};

export const ProviderJson = z.object(button).meta({ id: 'IdentityProvider' });
export const DiscoveredJson = z
  .object({
    providers: z.array(
      z.object({ ...button, organization: z.object({ name: z.string(), slug: z.string() }) }).meta({
        id: 'DiscoveredIdentityProvider',
      }),
    ),
  })
  .meta({ id: 'SsoDiscovery' });

export const SlugParams = z.object({ slug: z.string().toLowerCase().max(63) });

/** An S256 challenge: SHA-256 in base64url, 43 characters (RFC 7636, 4.2). */
const codeChallenge = z.string().regex(/^[A-Za-z0-9_-]{43}$/, 'Must be an S256 challenge of 43 characters.');

/** Query parameters with which every kind of sign-in begins. */
export const LoginQuery = z
  .strictObject({
    platform: z
      .union([z.string(), z.array(z.string())])
      .optional()
      .meta({ description: '`native`; anything else means web.', override: { type: 'string' } }),
    code_challenge: codeChallenge.optional().meta({ description: 'Apps always send one (PKCE, S256).' }),
    code_challenge_method: z.literal('S256').optional(),
    reauthenticate: z
      .enum(['true', 'false'])
      .transform((value) => value === 'true')
      .optional()
      .meta({ description: 'Whether the person must authenticate again, even with a session at the provider.' }),
  })
  .refine(({ platform, code_challenge }) => platform !== 'native' || code_challenge !== undefined, {
    path: ['code_challenge'],
    message: 'Required for native apps.',
  });

/**
 * Query parameters for SAML. After an unsolicited response of the provider, the browser is redirected here, so that a
 * request is sent.
 */
export const SamlLoginQuery = LoginQuery.safeExtend({
  unsolicited: z
    .literal('true')
    .optional()
    .meta({ description: 'Set when the provider sent a response without a request.' }),
});

export const signInOptionsOf = ({ platform, code_challenge, reauthenticate }: z.output<typeof LoginQuery>) => ({
  platform: platformOf(platform),
  codeChallenge: code_challenge ?? null,
  reauthenticate: reauthenticate ?? false,
});
