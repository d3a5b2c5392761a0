/** What an identity provider says of a person, whichever its protocol, and whether it is such that we can keep it. */
import { nameFrom } from '../../fields.js';

/** What the identity provider proved. */
export interface ProvenIdentity {
  issuer: string;
  /** Stays the same for a person at this issuer, and is never given to another. */
  subject: string;
  email: string | null;
  /** Whether the provider vouches that the address is this person's. */
  emailVerified: boolean;
  firstName: string | null;
  lastName: string | null;
  /** When the person proved who they are; null: the provider does not say. */
  authenticatedAt: Date | null;
  /** What the provider calls its session, where it says so. */
  providerSessionId: string | null;
  /** SAML: what the provider calls the person, in this session. */
  providerName: ProviderName | null;
}

/** A NameID. */
export interface ProviderName {
  nameId: string;
  /** Format and qualifiers, as received: a request of ours has to repeat them. */
  attributes: Readonly<Record<string, unknown>>;
}

/** Two of them fit into one row of an index, which has some 2700. */
const LONGEST_IDENTIFIER_BYTES = 1024;
const LONGEST_NAME = 100;
/** Control characters, of which Postgres has no place for NUL, and halves of characters, which it would make alike. */
const NO_TEXT = /[\p{Cc}\p{Cs}]/u;

const isText = (given: string | null): boolean => given === null || !NO_TEXT.test(given);

/** Whether a text can stand for somebody: an identifier that were cut could be another's. */
export const isIdentifier = (given: string): boolean =>
  given !== '' && isText(given) && Buffer.byteLength(given) <= LONGEST_IDENTIFIER_BYTES;

/** Whether what is said of a person can be kept. */
export const isKeepable = (said: Omit<ProvenIdentity, 'issuer' | 'providerName'>): boolean => {
  const { subject, email, firstName, lastName, providerSessionId } = said;
  const isNamed = isIdentifier(subject) && (providerSessionId === null || isIdentifier(providerSessionId));
  return isNamed && [email, firstName, lastName].every(isText);
};

/** A name as it is kept: cut where it is too long. @returns null for none */
export const nameOf = (given: string | null): string | null => nameFrom(given, LONGEST_NAME);
