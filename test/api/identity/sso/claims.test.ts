/** @jest-environment node */
/** Tests what the claims of each kind of provider prove about an address. */
import { readClaims } from '../../../../gateways/oidc/claims.js';
import { knownEndpoints, type OidcProvider } from '../../../../gateways/oidc/provider.js';

const directoryId = '11111111-2222-4333-8444-555555555555';
const claims = { sub: 's', email: 'sam@alpha.edu' };
const verified = (provider: OidcProvider['provider'], more: Record<string, unknown>) =>
  readClaims(
    { provider, directoryId: provider === 'cloud_office' ? directoryId : null, trustedDomains: [] },
    { ...claims, ...more },
  ).emailVerified;

test.each<[OidcProvider['provider'], Record<string, unknown>, boolean]>([
  ['workspace', { email_verified: true, hd: 'alpha.edu' }, true],
  ['workspace', { email_verified: true }, false],
  ['workspace', { email_verified: 'true', hd: 'alpha.edu' }, false],
  ['workspace', { hd: 'alpha.edu' }, false],
  ['cloud_office', { tid: directoryId, xms_edov: true }, true],
  ['cloud_office', { tid: directoryId, xms_edov: 1 }, true],
  ['cloud_office', { tid: directoryId, xms_edov: '1' }, true],
  ['cloud_office', { tid: directoryId, xms_edov: false }, false],
  ['cloud_office', { tid: directoryId, xms_edov: '0' }, false],
  ['cloud_office', { tid: directoryId }, false],
  ['cloud_office', { tid: directoryId, email_verified: true }, false],
  ['cloud_office', { tid: 'another', xms_edov: true }, false],
  ['cloud_office', { xms_edov: true }, false],
  ['generic', { email_verified: true }, true],
  ['generic', { email_verified: 1 }, false],
  ['generic', { xms_edov: true }, false],
  ['generic', {}, false],
])('for the provider %s the claims %p make an address verified: %p', (provider, more, expected) => {
  expect(verified(provider, more)).toBe(expected);
});

test.each<[Record<string, unknown>, boolean]>([
  [{ tid: directoryId }, true],
  [{ tid: directoryId, email: 'Sam@ALPHA.edu' }, true],
  [{ tid: directoryId, email: 'sam@alpha.edu.evil.org' }, false],
  [{ tid: directoryId, email: 'sam@sub.alpha.edu' }, false],
  [{ tid: directoryId, email: undefined }, false],
  [{ tid: 'another' }, false],
  [{}, false],
  // A trusted domain does not count for an address that the directory itself calls unverified.
  [{ tid: directoryId, xms_edov: false }, false],
])('a directory trusted for a domain verifies the address for the claims %p: %p', (more, expected) => {
  const settings = { provider: 'cloud_office', directoryId, trustedDomains: ['alpha.edu'] } as const;
  expect(readClaims(settings, { ...claims, ...more }).emailVerified).toBe(expected);
});

test.each([undefined, 'yesterday', -5, Number.NaN, 1e15])('auth_time %p proves no moment of sign-in', (auth_time) => {
  expect(
    readClaims({ provider: 'generic', directoryId: null, trustedDomains: [] }, { ...claims, auth_time })
      .authenticatedAt,
  ).toBeNull();
});

const settings = (more: Partial<OidcProvider>): OidcProvider => ({
  provider: 'generic',
  revision: null,
  clientId: 'c',
  clientSecret: 's',
  scopes: 'openid',
  directoryId: null,
  trustedDomains: [],
  issuer: null,
  authorizationUrl: null,
  tokenUrl: null,
  userinfoUrl: null,
  jwksUri: null,
  ...more,
});

test('the issuer of the cloud-office provider belongs to one directory', () => {
  expect(knownEndpoints(settings({ provider: 'cloud_office', directoryId }))).toMatchObject({
    issuer: `https://login.microsoftonline.com/${directoryId}/v2.0`,
    token_endpoint: `https://login.microsoftonline.com/${directoryId}/oauth2/v2.0/token`,
  });
});

test('the workspace provider has one issuer', () => {
  expect(knownEndpoints(settings({ provider: 'workspace' }))?.issuer).toBe('https://accounts.google.com');
});

test('a generic provider without configured addresses uses discovery', () => {
  expect(knownEndpoints(settings({ issuer: 'https://idp.alpha.edu' }))).toBeNull();
});
