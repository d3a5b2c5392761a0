/** What a provider's claims prove. Each provider says in its own way that an address is its owner's. */
import type { OidcProvider } from './provider.js';

export type Claims = Record<string, unknown>;

/** What of a provider decides whether it vouches for an address. */
type Vouching = Pick<OidcProvider, 'provider' | 'directoryId' | 'trustedDomains'>;

/** As in OpenID Connect Core 5.1; the parts that count here. */
export interface ReadClaims {
  subject: string;
  email: string | null;
  emailVerified: boolean;
  firstName: string | null;
  lastName: string | null;
  /** `auth_time`. */
  authenticatedAt: Date | null;
  /** `sid`: what the provider's log-out names. */
  providerSessionId: string | null;
}

export function readClaims(settings: Vouching, claims: Claims): ReadClaims {
  return {
    subject: textOf(claims['sub']) ?? '',
    email: textOf(claims['email']),
    emailVerified: vouchesForAddress(settings, claims),
    firstName: textOf(claims['given_name']),
    lastName: textOf(claims['family_name']),
    authenticatedAt: momentOf(claims['auth_time']),
    providerSessionId: textOf(claims['sid']),
  };
}

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

const momentOf = (seconds: unknown): Date | null =>
  typeof seconds === 'number' && Number.isFinite(seconds) && seconds > 0 && seconds < 1e11
    ? new Date(seconds * 1000)
    : null;

function vouchesForAddress({ provider, directoryId, trustedDomains }: Vouching, claims: Claims): boolean {
  // Its `email` may be any text that an administrator of any directory typed; xms_edov says the domain is the directory's.
  if (provider === 'cloud_office') {
    if (claims['tid'] !== directoryId) return false;
    // What it denies is not believed for the sake of a setting.
    return claims['xms_edov'] === undefined
      ? trustedDomains.includes(domainOf(textOf(claims['email'])))
      : isTrue(claims['xms_edov']);
  }
  // Without `hd` it is a consumer's account, whose address was verified once, long ago, by whoever had it then.
  if (provider === 'workspace') return claims['email_verified'] === true && textOf(claims['hd']) !== null;
  return claims['email_verified'] === true;
}

const domainOf = (email: string | null): string => email?.slice(email.lastIndexOf('@') + 1).toLowerCase() ?? '';

/** This one optional claim is documented as a boolean and comes as a number or as text too. */
const isTrue = (value: unknown): boolean => value === true || value === 1 || value === '1' || value === 'true';
