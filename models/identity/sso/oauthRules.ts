/** Which fields each provider needs, and which it does not have. */
import { faultOfProviderAddress } from '../../../config.js';
import { invalid } from '../../errors.js';
import type { Editable } from '../../database/model/schemas.js';
import type { OAuthConfiguration } from './OAuthConfiguration.js';
import type { OAuthProvider } from './vocabulary.js';

export type OAuthFields = Editable<typeof OAuthConfiguration>;

const URLS = ['authorization_url', 'token_url', 'userinfo_url', 'jwks_uri'] as const;
/** Where the client secret, or what is believed, comes from or goes to. */
const TRUSTED = ['directory_id', 'issuer', ...URLS] as const;

/** @throws Refusal validation_error that names the field */
export function requireConsistent(provider: OAuthProvider, fields: OAuthFields): void {
  if (!fields.scopes.split(' ').includes('openid')) throw invalid('scopes', 'Must contain openid.');
  if (fields.trust_directory_addresses && provider !== 'cloud_office') {
    throw invalid(
      'trust_directory_addresses',
      'Is for cloud_office: this provider says itself which addresses are verified.',
    );
  }
  if (provider === 'generic') return requireGeneric(fields);
  for (const name of ['issuer', ...URLS] as const) {
    if (fields[name] !== null) throw invalid(name, 'Is preset for this provider.');
  }
  if (provider === 'workspace' && fields.directory_id !== null) {
    throw invalid('directory_id', 'This provider has no directories.');
  }
  if (provider === 'cloud_office' && fields.directory_id === null) {
    throw invalid('directory_id', 'Name the directory whose people may sign in.');
  }
}

function requireGeneric(fields: OAuthFields): void {
  if (fields.directory_id !== null) throw invalid('directory_id', 'This provider has no directories.');
  if (fields.issuer === null) throw invalid('issuer', 'Name the issuer exactly as its ID tokens do.');
  for (const name of ['issuer', ...URLS] as const) requireAddress(name, fields[name]);
  const needed = ['authorization_url', 'token_url', 'jwks_uri'] as const;
  if (URLS.every((name) => fields[name] === null)) return;
  for (const name of needed) {
    if (fields[name] === null) {
      throw invalid(name, 'Give authorization_url, token_url and jwks_uri together, or none to discover them.');
    }
  }
}

function requireAddress(name: keyof OAuthFields, address: string | null): void {
  if (address === null) return;
  const fault = faultOfProviderAddress(address);
  if (fault === 'insecure') throw invalid(name, 'Must be an https address.');
  if (fault === 'not_bare') throw invalid(name, 'Must have neither credentials nor a fragment.');
}

/** A secret must not follow its configuration to another server: whoever redirects it has to know it. */
export const needsSecretAgain = (before: OAuthFields, after: OAuthFields): boolean =>
  TRUSTED.some((name) => before[name] !== after[name]);
