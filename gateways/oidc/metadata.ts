/**
 * Checks a discovery document of an OpenID provider, which may contain anything. Only the fields that we use are
 * checked.
 */
import { faultOfProviderAddress } from '../../config.js';

const REQUIRED = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const;

/**
 * Returns the name of the first required field that is missing or invalid, or of an optional field that is invalid.
 * Returns null if the document is usable.
 */
export function findUnusableField(metadata: object): string | null {
  const values = metadata as Record<string, unknown>;
  const address = REQUIRED.find((name) => !isAddress(values[name]));
  if (address) return address;
  if (values['userinfo_endpoint'] !== undefined && !isAddress(values['userinfo_endpoint'])) return 'userinfo_endpoint';
  const methods = values['token_endpoint_auth_methods_supported'];
  return methods === undefined || Array.isArray(methods) ? null : 'token_endpoint_auth_methods_supported';
}

const isAddress = (value: unknown): boolean => typeof value === 'string' && faultOfProviderAddress(value) === null;
