/** Reads the claims of a provider. Each provider has its own way to say that an email address is verified. */
import type { OidcProvider } from './provider.js';

export type Claims = Record<string, unknown>;

/** The settings that decide whether a provider vouches for an address. */
type VouchingSettings = Pick<OidcProvider, 'provider' | 'directoryId' | 'trustedDomains'>;

/** The claims that are used (OpenID Connect Core, 5.1). */
export interface ReadClaims {
  subject: string;
  email: string | null;
  emailVerified: boolean;
  firstName: string | null;
  lastName: string | null;
  /** When the user signed in at the provider (claim `auth_time`); null if the claim is missing or invalid. */
  authenticatedAt: Date | null;
  /**
   * The session at the provider (claim `sid`), which a logout token of the provider names; null if the claim is
   * missing.
   */
  providerSessionId: string | null;
}

export function readClaims(settings: VouchingSettings, claims: Claims): ReadClaims {
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

function vouchesForAddress({ provider, directoryId, trustedDomains }: VouchingSettings, claims: Claims): boolean {
  // The claim `email` may be any text that an administrator of any directory entered; `xms_edov` says that the
  // directory owns the domain.
  if (provider === 'cloud_office') {
    if (claims['tid'] !== directoryId) return false;
    // If the claim is present and false, the list of trusted domains does not override it.
    return claims['xms_edov'] === undefined
      ? trustedDomains.includes(domainOf(textOf(claims['email'])))
      : isTrue(claims['xms_edov']);
  }
  // An account without `hd` is a consumer account. Its address was verified once, and may belong to another person now.
  if (provider === 'workspace') return claims['email_verified'] === true && textOf(claims['hd']) !== null;
  return claims['email_verified'] === true;
}

const domainOf = (email: string | null): string => email?.slice(email.lastIndexOf('@') + 1).toLowerCase() ?? '';

/** This optional claim is documented as a boolean, but also comes as a number or as text. */
const isTrue = (value: unknown): boolean => value === true || value === 1 || value === '1' || value === 'true';
