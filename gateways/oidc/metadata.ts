/** Checks the parts of a discovered document that are used, because the document may contain anything. */
import { faultOfProviderAddress } from '../../config.js';

const REQUIRED = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const;

/**
 * Returns the name of the first required field that is missing, or field that is unusable; null if the document is
 * usable.
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
