/** A discovered document may say anything: what is used of it is looked at first. */
import { faultOfProviderAddress } from '../../config.js';

const NEEDED = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const;

/** @returns the first part that neither we nor a browser can use, null when there is none */
export function unusablePart(metadata: object): string | null {
  const said = metadata as Record<string, unknown>;
  const address = NEEDED.find((name) => !isAddress(said[name]));
  if (address) return address;
  if (said['userinfo_endpoint'] !== undefined && !isAddress(said['userinfo_endpoint'])) return 'userinfo_endpoint';
  const methods = said['token_endpoint_auth_methods_supported'];
  return methods === undefined || Array.isArray(methods) ? null : 'token_endpoint_auth_methods_supported';
}

const isAddress = (said: unknown): boolean => typeof said === 'string' && faultOfProviderAddress(said) === null;
