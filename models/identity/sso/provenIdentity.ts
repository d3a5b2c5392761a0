/**
 * The facts that an identity provider reports about a person, in the same form for OAuth and SAML. Also checks whether
 * these facts can be stored.
 */
import { nameFrom } from '../../fields.js';

/** An identity that the provider has proven. */
export interface ProvenIdentity {
  issuer: string;
  /** The provider's id of the person: it never changes, and is never assigned to another person. */
  subject: string;
  email: string | null;
  /** Whether the provider vouches that the address belongs to this person. */
  emailVerified: boolean;
  firstName: string | null;
  lastName: string | null;
  /** When the person authenticated; null when the provider does not report it. */
  authenticatedAt: Date | null;
  /**
   * The provider's name for its own session. A logout message with this name ends our session. Null if the provider
   * sends none.
   */
  providerSessionId: string | null;
  /** SAML: the NameID of the person in this session; null for OAuth. */
  providerName: ProviderName | null;
}

/** A SAML NameID. */
export interface ProviderName {
  nameId: string;
  /** Format and qualifiers of the NameID as received. Our logout requests must repeat them. */
  attributes: Readonly<Record<string, unknown>>;
}

/**
 * Maximum length of an identifier. An index row of Postgres holds about 2,700 bytes and must have room for two
 * identifiers.
 */
const MAX_IDENTIFIER_BYTES = 1024;
const MAX_NAME_LENGTH = 100;
/**
 * Characters that are not accepted: control characters, because Postgres cannot store NUL, and lone surrogates, which
 * would all be stored as the same replacement character.
 */
const UNSTORABLE_CHARACTERS = /[\p{Cc}\p{Cs}]/u;

const isStorableText = (text: string | null): boolean => text === null || !UNSTORABLE_CHARACTERS.test(text);

/**
 * Reports whether a text can serve as a person's identifier. A longer identifier is refused and not cut, because the
 * remaining text could identify another person.
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
 * @returns null if no name was reported
 */
export const nameOf = (reported: string | null): string | null => nameFrom(reported, MAX_NAME_LENGTH);
