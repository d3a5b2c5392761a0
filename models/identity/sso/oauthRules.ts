/** Checks which fields each provider needs, and which it must not have. */
import { faultOfProviderAddress } from '../../../config.js';
import { invalid } from '../../errors.js';
import type { Editable } from '../../database/model/schemas.js';
import type { OAuthConfiguration } from './OAuthConfiguration.js';
import type { OAuthProvider } from './vocabulary.js';

export type OAuthFields = Editable<typeof OAuthConfiguration>;

const URLS = ['authorization_url', 'token_url', 'userinfo_url', 'jwks_uri'] as const;
/** Fields that determine where the client secret is sent, or which server's responses are trusted. */
const TRUST_FIELDS = ['directory_id', 'issuer', ...URLS] as const;

/**
 * Requires a consistent configuration.
 * @throws Refusal validation_error that names the field
 */
export function requireConsistent(provider: OAuthProvider, fields: OAuthFields): void {
  if (!fields.scopes.split(' ').includes('openid')) throw invalid('scopes', 'Must contain openid.');
  if (fields.trust_directory_addresses && provider !== 'cloud_office') {
    throw invalid(
      'trust_directory_addresses',
      'Only for cloud_office: this provider itself reports which addresses are verified.',
    );
  }
  if (provider === 'generic') return requireGeneric(fields);
  for (const name of ['issuer', ...URLS] as const) {
    if (fields[name] !== null) throw invalid(name, 'This address is preset for this provider. Leave it out.');
  }
  if (provider === 'workspace' && fields.directory_id !== null) {
    throw invalid('directory_id', 'This kind of identity provider has no directory id. Leave this out.');
  }
  if (provider === 'cloud_office' && fields.directory_id === null) {
    throw invalid(
      'directory_id',
      'Send the directory (tenant) id that your identity provider shows. Only people of that directory may sign in.',
    );
  }
}

function requireGeneric(fields: OAuthFields): void {
  if (fields.directory_id !== null)
    throw invalid('directory_id', 'This kind of identity provider has no directory id. Leave this out.');
  if (fields.issuer === null)
    throw invalid('issuer', 'Required: the issuer, exactly as it appears in the ID tokens of the identity provider.');
  for (const name of ['issuer', ...URLS] as const) requireAddress(name, fields[name]);
  const needed = ['authorization_url', 'token_url', 'jwks_uri'] as const;
  if (URLS.every((name) => fields[name] === null)) return;
  for (const name of needed) {
    if (fields[name] === null) {
      throw invalid(name, 'Send authorization_url, token_url and jwks_uri together, or none of them to discover them.');
    }
  }
}

function requireAddress(name: keyof OAuthFields, address: string | null): void {
  if (address === null) return;
  const fault = faultOfProviderAddress(address);
  if (fault === 'insecure') throw invalid(name, 'Must be an https address.');
  if (fault === 'not_bare') throw invalid(name, 'Must have neither credentials nor a fragment.');
}

/**
 * Reports whether the admin must enter the client secret again. An admin who changes the server to which the secret is
 * sent must know the secret, because the stored secret must not be sent to another server.
 */
export const needsSecretAgain = (before: OAuthFields, after: OAuthFields): boolean =>
  TRUST_FIELDS.some((name) => before[name] !== after[name]);
