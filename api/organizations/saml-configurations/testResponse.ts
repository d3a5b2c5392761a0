/** Dry run of a sign-in: reads a response as the ACS does. It signs no one in and stores nothing. */
import { readResponse } from '../../../gateways/saml/readResponse.js';
import { SamlRefused } from '../../../gateways/saml/refused.js';
import { type MappedPerson, mapPerson } from '../../../models/identity/sso/saml/attributes.js';
import { readDecryptionKeys } from '../../../models/identity/sso/saml/encryptionKeys.js';
import type { ShownSamlConfiguration } from '../../../models/identity/sso/saml/samlConfigurations.js';
import { rehearseSignIn } from '../../../models/identity/sso/rehearseSignIn.js';
import { expectedOf } from '../../identity/sso/saml/party.js';
import { identityFromAssertion, explainUnusable } from '../../identity/sso/saml/identityFromAssertion.js';

/** Tests a response. It does not check for a pending sign-in, because the sign-in of the response may be over. */
export async function testResponse(configuration: ShownSamlConfiguration, response: string) {
  try {
    const keys = await readDecryptionKeys(configuration.id);
    const assertion = await readResponse(response, expectedOf(configuration, keys));
    const { nameId, attributes } = assertion;
    const person = mapPerson(configuration.attribute_mapping, attributes, nameId);
    const { value, format } = nameId;
    const contents = { name_id: { value, format }, attributes: { ...attributes }, person };
    const proven = identityFromAssertion(assertion, person);
    if (!proven)
      return { accepted: false, sign_in_error: null, signature_problem: null, ...explainRefusal(person), ...contents };
    const sign_in_error = await rehearseSignIn(configuration.id, proven);
    return { accepted: true, sign_in_error, reason: null, signature_problem: null, detail: null, ...contents };
  } catch (error) {
    if (!(error instanceof SamlRefused)) throw error;
    const empty = { name_id: null, attributes: null, person: null };
    const { reason, signatureProblem: signature_problem, message: detail } = error;
    return { accepted: false, sign_in_error: null, reason, signature_problem, detail, ...empty };
  }
}

const DETAILS = {
  transient_subject:
    'The person has no permanent identifier: the NameID is transient, or the mapped attribute is missing.',
  unusable_text: 'The identifier of the person is longer than 1024 bytes, or a text contains control characters.',
};

function explainRefusal(person: MappedPerson) {
  const reason = explainUnusable(person);
  return { reason, detail: DETAILS[reason] };
}
