import { z } from 'zod';
import { emailAddress } from '../../../models/fields.js';
import { platformOf } from '../../../models/identity/sso/redirects.js';
import { AccountJson, AccountOrganizationJson, tokenFields } from '../schema.js';
import { domain } from '../../../models/identity/sso/fields.js';

export const ExchangeBody = z
  .strictObject({
    code: z.string().min(1).max(200),
    // Its form is checked after the code is gone, like the rest.
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
      .meta({ description: 'Only its domain is looked at.', example: 'sam@alpha.edu', override: { type: 'string' } }),
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

/** 43 characters: SHA-256 in base64url (RFC 7636, 4.2). */
const codeChallenge = z.string().regex(/^[A-Za-z0-9_-]{43}$/, 'Must be an S256 challenge of 43 characters.');

/** What every kind of sign-in begins with. */
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
      .meta({ description: 'The person proves themselves again, whatever session the provider has.' }),
  })
  .refine(({ platform, code_challenge }) => platform !== 'native' || code_challenge !== undefined, {
    path: ['code_challenge'],
    message: 'Apps need a challenge.',
  });

/** For SAML: also where an answer that nobody asked for is sent, so that somebody asks. */
export const SamlLoginQuery = LoginQuery.safeExtend({
  unsolicited: z.literal('true').optional().meta({ description: 'The provider answered without being asked.' }),
});

export const beginningOf = ({ platform, code_challenge, reauthenticate }: z.output<typeof LoginQuery>) => ({
  platform: platformOf(platform),
  codeChallenge: code_challenge ?? null,
  reauthenticate: reauthenticate ?? false,
});
