/** A dry run: a response read as the ACS reads it. Signs nobody in, stores nothing, uses nothing up. */
import { readResponse } from '../../../gateways/saml/readResponse.js';
import { SamlRefused } from '../../../gateways/saml/refused.js';
import { type MappedPerson, mapPerson } from '../../../models/identity/sso/saml/attributes.js';
import { decryptionKeysOf } from '../../../models/identity/sso/saml/encryptionKeys.js';
import type { ShownSamlConfiguration } from '../../../models/identity/sso/saml/samlConfigurations.js';
import { rehearseSignIn } from '../../../models/identity/sso/rehearseSignIn.js';
import { expectedOf } from '../../identity/sso/saml/party.js';
import { provenBy, whyUnproven } from '../../identity/sso/saml/provenBy.js';

/** Whether a sign-in of ours waits for it is not asked: the one that it belonged to may be over. */
export async function tryOut(configuration: ShownSamlConfiguration, response: string) {
  try {
    const keys = await decryptionKeysOf(configuration.id);
    const assertion = await readResponse(response, expectedOf(configuration, keys));
    const { nameId, attributes } = assertion;
    const person = mapPerson(configuration.attribute_mapping, attributes, nameId);
    const { value, format } = nameId;
    const shown = { name_id: { value, format }, attributes: { ...attributes }, person };
    const proven = provenBy(assertion, person);
    if (!proven) return { accepted: false, sign_in_error: null, signature_problem: null, ...whyNot(person), ...shown };
    const sign_in_error = await rehearseSignIn(configuration.id, proven);
    return { accepted: true, sign_in_error, reason: null, signature_problem: null, detail: null, ...shown };
  } catch (error) {
    if (!(error instanceof SamlRefused)) throw error;
    const nothing = { name_id: null, attributes: null, person: null };
    const { reason, signatureProblem: signature_problem, message: detail } = error;
    return { accepted: false, sign_in_error: null, reason, signature_problem, detail, ...nothing };
  }
}

const DETAILS = {
  transient_subject: 'Nothing names this person for good: the NameID is transient, or the mapped attribute is missing.',
  unusable_text: 'What names this person has more than 1024 bytes, or a text has control characters.',
};

function whyNot(person: MappedPerson) {
  const reason = whyUnproven(person);
  return { reason, detail: DETAILS[reason] };
}
