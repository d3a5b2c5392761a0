/** A dry run: a response read as the ACS reads it. Signs nobody in, stores nothing, uses nothing up. */
import { readResponse } from '../../../gateways/saml/readResponse.js';
import { SamlRefused } from '../../../gateways/saml/refused.js';
import { mapPerson } from '../../../models/identity/sso/saml/attributes.js';
import type { SamlConfiguration } from '../../../models/identity/sso/saml/samlConfigurations.js';
import { expectedOf } from '../../identity/sso/saml/party.js';

/** Whether a sign-in of ours waits for it is not asked: the one that it belonged to may be over. */
export async function tryOut(configuration: SamlConfiguration, response: string) {
  try {
    const { nameId, attributes } = await readResponse(response, expectedOf(configuration));
    const person = mapPerson(configuration.attribute_mapping, attributes, nameId);
    const { value, format } = nameId;
    const shown = { name_id: { value, format }, attributes: { ...attributes }, person };
    if (person.subject !== null) return { accepted: true, reason: null, detail: null, ...shown };
    const detail = 'Nothing names this person for good: the NameID is transient, or the mapped attribute is missing.';
    return { accepted: false, reason: 'transient_subject' as const, detail, ...shown };
  } catch (error) {
    if (!(error instanceof SamlRefused)) throw error;
    const nothing = { name_id: null, attributes: null, person: null };
    return { accepted: false, reason: error.reason, detail: error.message, ...nothing };
  }
}
