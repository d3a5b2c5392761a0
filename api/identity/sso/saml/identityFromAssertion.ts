import type { NameId, VerifiedAssertion } from '../../../../gateways/saml/readResponse.js';
import { isIdentifier, isStorable, type ProvenIdentity } from '../../../../models/identity/sso/provenIdentity.js';
import type { MappedPerson } from '../../../../models/identity/sso/saml/attributes.js';

/**
 * Builds the proven identity from a verified assertion.
 * @returns null when the assertion contains texts that cannot be stored, or no permanent identifier
 */
export function identityFromAssertion(
  { issuer, nameId, sessionIndex, authnInstantMs }: VerifiedAssertion,
  { subject, email, first_name, last_name }: MappedPerson,
): ProvenIdentity | null {
  const names = [issuer, ...namesOf(nameId, sessionIndex)];
  if (subject === null || !names.every(isIdentifier)) return null;
  const proven = {
    issuer,
    subject,
    email,
    // The organization's own provider, whose signature was verified, vouches for its directory.
    emailVerified: true,
    firstName: first_name,
    lastName: last_name,
    authenticatedAt: new Date(authnInstantMs),
    providerName: { nameId: nameId.value, attributes: { format: nameId.format, qualifiers: nameId.qualifiers } },
    providerSessionId: sessionIndex,
  };
  return isStorable(proven) ? proven : null;
}

/**
 * Returns why `identityFromAssertion` returns null: no permanent identifier of the person, or texts that cannot be
 * stored.
 */
export const explainUnusable = ({ subject }: MappedPerson) =>
  subject === null ? ('transient_subject' as const) : ('unusable_text' as const);

/** Returns the texts of an assertion that a later logout request must repeat to name the person and the session. */
const namesOf = ({ value, format, qualifiers }: NameId, sessionIndex: string | null): string[] => [
  value,
  ...[format, sessionIndex, ...Object.values(qualifiers)].filter((name) => name !== null),
];
