/**
 * The facts that an identity provider reports about a person, independent of its protocol, and checks whether they can
 * be stored.
 */
import { nameFrom } from '../../fields.js';

/** An identity that the provider has proven. */
export interface ProvenIdentity {
  issuer: string;
  /** Stable for a person at this issuer, and never assigned to another person. */
  subject: string;
  email: string | null;
  /** Whether the provider vouches that the address belongs to this person. */
  emailVerified: boolean;
  firstName: string | null;
  lastName: string | null;
  /** When the person authenticated; null when the provider does not report it. */
  authenticatedAt: Date | null;
  /** The provider's own name for its session, if it sends one. */
  providerSessionId: string | null;
  /** SAML: the provider's name for the person in this session. */
  providerName: ProviderName | null;
}

/** A SAML NameID. */
export interface ProviderName {
  nameId: string;
  /** Format and qualifiers as received. Our logout requests must repeat them. */
  attributes: Readonly<Record<string, unknown>>;
}

/** Two of them must fit into one index row of Postgres, which holds some 2,700 bytes. */
const MAX_IDENTIFIER_BYTES = 1024;
const MAX_NAME_LENGTH = 100;
/**
 * Control characters (Postgres cannot store NUL) and lone surrogates (which would all become the same replacement
 * character).
 */
const UNSTORABLE_CHARACTERS = /[\p{Cc}\p{Cs}]/u;

const isStorableText = (text: string | null): boolean => text === null || !UNSTORABLE_CHARACTERS.test(text);

/**
 * Reports whether a text can identify a person. An identifier must never be cut, because the rest could be another
 * person's.
 */
export const isIdentifier = (identifier: string): boolean =>
  identifier !== '' && isStorableText(identifier) && Buffer.byteLength(identifier) <= MAX_IDENTIFIER_BYTES;

/** Reports whether the texts of an identity can be stored. */
export const isStorable = (claims: Omit<ProvenIdentity, 'issuer' | 'providerName'>): boolean => {
  const { subject, email, firstName, lastName, providerSessionId } = claims;
  const isNamed = isIdentifier(subject) && (providerSessionId === null || isIdentifier(providerSessionId));
  return isNamed && [email, firstName, lastName].every(isStorableText);
};

/**
 * Returns a name in the form in which it is stored, cut to the maximum length.
 * @returns null for none
 */
export const nameOf = (reported: string | null): string | null => nameFrom(reported, MAX_NAME_LENGTH);
