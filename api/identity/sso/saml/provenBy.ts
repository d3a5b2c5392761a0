import type { NameId, VerifiedAssertion } from '../../../../gateways/saml/readResponse.js';
import { isIdentifier, isKeepable, type ProvenIdentity } from '../../../../models/identity/sso/provenIdentity.js';
import type { MappedPerson } from '../../../../models/identity/sso/saml/attributes.js';

/** Who somebody is by a verified assertion. @returns null when it says so in texts that cannot be kept, or names nobody */
export function provenBy(
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
  return isKeepable(proven) ? proven : null;
}

/** Why `provenBy` answers null: whom the assertion names is nobody for good, or in texts that cannot be kept. */
export const whyUnproven = ({ subject }: MappedPerson) =>
  subject === null ? ('transient_subject' as const) : ('unusable_text' as const);

/** What a later logout has to repeat. */
const namesOf = ({ value, format, qualifiers }: NameId, sessionIndex: string | null): string[] => [
  value,
  ...[format, sessionIndex, ...Object.values(qualifiers)].filter((name) => name !== null),
];
