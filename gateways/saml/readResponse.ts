/**
 * A response to our AuthnRequest (SAML profiles, 4.1.4). Everything that is believed about the person is read from the
 * bytes that the signature covers; the envelope around them only has to agree.
 */
import { decryptAssertion } from './decrypt.js';
import { BEARER, NS, STATUS } from './names.js';
import { SamlRefused, type SignatureProblem } from './refused.js';
import { instantOf, requireWithin } from './time.js';
import { decodeMessage, readMessage } from './message.js';
import { childrenOf, type Element } from './xml.js';

export interface Expected {
  idpEntityId: string;
  /** PEM; during a rollover several. */
  certificates: readonly string[];
  /** PEM: ours, for what is encrypted, the newest first; often none. */
  decryptionKeys: readonly string[];
  /** Our entity id. */
  audience: string;
  /** Our ACS. */
  acsUrl: string;
  nowMs: number;
}

export interface NameId {
  value: string;
  format: string | null;
  /** As received, for a later LogoutRequest, which has to repeat them. */
  qualifiers: Readonly<Record<string, string>>;
}

export interface VerifiedAssertion {
  id: string;
  issuer: string;
  nameId: NameId;
  sessionIndex: string | null;
  authnInstantMs: number;
  /** The AuthnRequest that it answers. */
  inResponseTo: string;
  /** When it is of no use to anybody any more: until then its id is remembered. */
  expiresAtMs: number;
  /** Values by attribute name. */
  attributes: Record<string, string[]>;
}

/** @param encoded the form field `SAMLResponse`. @throws SamlRefused */
export async function readResponse(encoded: string, expected: Expected): Promise<VerifiedAssertion> {
  const xml = decodeMessage(encoded);
  const response = readMessage(xml);
  checkEnvelope(response, expected);
  const document = isEncrypted(response) ? await opened(xml, response, expected) : xml;
  return readAssertion(await requireSigned(document, 'assertion', expected), response, expected);
}

/** @returns what is signed. @throws SamlRefused signature_invalid */
async function requireSigned(
  xml: string,
  find: 'document' | 'assertion',
  { certificates, nowMs }: Expected,
): Promise<Element> {
  // Its library takes megabytes that a process without SAML has no use for.
  const { signatureProblem, signedElement } = await import('./signature.js');
  const signed = await signedElement(xml, find, certificates);
  if (signed) return signed;
  const problem = await signatureProblem(xml, find, certificates, nowMs);
  throw new SamlRefused('signature_invalid', signatureSays(find === 'document' ? 'response' : find)[problem], problem);
}

/** There is one, and no text or attribute has a `<`: what begins so is it. */
const ENCRYPTED = /<((?:[\w.-]+:)?EncryptedAssertion)\b[\s\S]*<\/\1\s*>/;

/**
 * The response with what was encrypted in its place, as it was signed: an inclusive signature covers what stands around.
 * A signature of the response itself is verified before any key is used, and what it covers is what is opened.
 */
async function opened(xml: string, response: Element, expected: Expected): Promise<string> {
  const isSealed = childrenOf(response, NS.signature, 'Signature').length > 0;
  const around = isSealed ? await requireSigned(xml, 'document', expected) : response;
  requireOne(around, 'EncryptedAssertion');
  const assertion = decryptAssertion(around, expected.decryptionKeys, isSealed);
  const document = xml.replace(ENCRYPTED, () => assertion);
  requireOne(readMessage(document), 'Assertion');
  return document;
}

/** @param what is signed */
const signatureSays = (what: string): Record<SignatureProblem, string> => ({
  missing: `The ${what} is not signed itself: the signature of the response around it is not enough.`,
  malformed: `The signature of the ${what} cannot be read.`,
  algorithm: 'The signature, its digest or its canonical form is of a kind that is not accepted, for example SHA-1.',
  digest_mismatch: `The ${what} was altered after it was signed: its digest is another one.`,
  certificate_mismatch: 'The signature was made by another key than those of the configured certificates.',
  certificate_expired:
    'The signature was made by another key than those of the configured certificates, which are over.',
});

/** What the envelope says, signed or not, has to agree with what we expect. */
function checkEnvelope(response: Element, expected: Expected): void {
  const { name, namespace, attributes } = response;
  if (name !== 'Response' || namespace !== NS.protocol || attributes['Version'] !== '2.0') {
    throw new SamlRefused('not_a_response', 'The document is not a Response of SAML 2.0.');
  }
  if (attributes['Destination'] !== expected.acsUrl) {
    throw new SamlRefused('wrong_destination', `The response was sent to ${attributes['Destination'] ?? 'nobody'}.`);
  }
  const [issuer] = childrenOf(response, NS.assertion, 'Issuer');
  if (issuer) requireIssuer(issuer, expected);
  const codes = childrenOf(response, NS.protocol, 'Status').flatMap((at) => childrenOf(at, NS.protocol, 'StatusCode'));
  const status = codes.map((code) => code.attributes['Value']).join(', ');
  if (status !== STATUS.success) throw new SamlRefused('status_not_success', `The identity provider said ${status}.`);
  requireOne(response, isEncrypted(response) ? 'EncryptedAssertion' : 'Assertion');
}

function requireOne(response: Element, kind: 'Assertion' | 'EncryptedAssertion'): void {
  const assertions = count(response, 'Assertion') + count(response, 'EncryptedAssertion');
  if (assertions === 1 && childrenOf(response, NS.assertion, kind).length === 1) return;
  throw new SamlRefused('not_one_assertion', `The response has ${assertions} assertions.`);
}

const isEncrypted = (response: Element): boolean => childrenOf(response, NS.assertion, 'EncryptedAssertion').length > 0;

/** Of that name anywhere below: a second one in a corner is there to be mistaken for the first. */
const count = (element: Element, name: string): number =>
  element.children.reduce((sum, child) => sum + (child.name === name ? 1 : 0) + count(child, name), 0);

function requireIssuer(issuer: Element, { idpEntityId }: Expected): void {
  if (issuer.text.trim() === idpEntityId && issuer.children.length === 0) return;
  throw new SamlRefused('wrong_issuer', `The issuer is ${issuer.text.trim().slice(0, 200)}.`);
}

function readAssertion(assertion: Element, response: Element, expected: Expected): VerifiedAssertion {
  const id = assertion.attributes['ID'];
  if (assertion.name !== 'Assertion' || assertion.namespace !== NS.assertion || !id) {
    throw new SamlRefused('signature_invalid', 'What is signed is not the assertion.');
  }
  requireIssuer(only(assertion, 'Issuer', 'wrong_issuer'), expected);
  const conditionsEnd = checkConditions(only(assertion, 'Conditions', 'wrong_audience'), expected);
  const subject = only(assertion, 'Subject', 'no_subject');
  const confirmation = confirmedBy(subject, expected);
  const inResponseTo = confirmation['InResponseTo'];
  if (inResponseTo === undefined && response.attributes['InResponseTo'] === undefined) {
    throw new SamlRefused('unsolicited', 'Nobody has asked for the assertion.');
  }
  if (inResponseTo === undefined || inResponseTo !== response.attributes['InResponseTo']) {
    throw new SamlRefused('wrong_in_response_to', 'The assertion does not answer a request of ours.');
  }
  const authentication = only(assertion, 'AuthnStatement', 'no_authentication').attributes;
  requireWithin(sessionBounds(authentication), expected.nowMs, 'The session');
  return {
    id,
    issuer: expected.idpEntityId,
    nameId: nameIdOf(subject),
    sessionIndex: authentication['SessionIndex'] || null,
    authnInstantMs: authnInstant(authentication['AuthnInstant'], expected.nowMs),
    inResponseTo,
    expiresAtMs: Math.max(conditionsEnd, instantOf(confirmation['NotOnOrAfter'] as string)),
    attributes: attributesOf(assertion),
  };
}

function only(parent: Element, name: string, reason: SamlRefused['reason']): Element {
  const found = childrenOf(parent, NS.assertion, name);
  if (found.length === 1 && found[0]) return found[0];
  throw new SamlRefused(reason, `The ${parent.name} has ${found.length} of ${name}.`);
}

/** SAML core, 2.5.1. @returns when the assertion ends, or 0 */
function checkConditions(conditions: Element, { audience, nowMs }: Expected): number {
  requireWithin(conditions.attributes, nowMs, 'The assertion');
  const restrictions = childrenOf(conditions, NS.assertion, 'AudienceRestriction');
  const names = restrictions.map((at) => childrenOf(at, NS.assertion, 'Audience').map(({ text }) => text.trim()));
  if (names.length === 0 || names.some((audiences) => !audiences.includes(audience))) {
    throw new SamlRefused(
      'wrong_audience',
      `The assertion is for ${names.flat().join(', ').slice(0, 300) || 'nobody'}.`,
    );
  }
  const known = ['AudienceRestriction', 'OneTimeUse', 'ProxyRestriction'];
  const other = conditions.children.find((child) => !known.includes(child.name));
  if (other) throw new SamlRefused('unknown_condition', `There is a condition that we do not know: ${other.name}.`);
  const end = conditions.attributes['NotOnOrAfter'];
  return end === undefined ? 0 : instantOf(end);
}

/** The data of the bearer confirmation for us (SAML profiles, 4.1.4.2). */
function confirmedBy(subject: Element, { acsUrl, nowMs }: Expected): Readonly<Record<string, string>> {
  const data = childrenOf(subject, NS.assertion, 'SubjectConfirmation')
    .filter(({ attributes }) => attributes['Method'] === BEARER)
    .flatMap((confirmation) => childrenOf(confirmation, NS.assertion, 'SubjectConfirmationData'))
    .map(({ attributes }) => attributes);
  if (data.length === 0) throw new SamlRefused('no_usable_confirmation', 'There is no bearer confirmation.');
  const ours = data.find(({ Recipient }) => Recipient === acsUrl);
  if (!ours) throw new SamlRefused('wrong_recipient', `The recipient is ${data[0]?.['Recipient'] ?? 'not named'}.`);
  if (ours['NotOnOrAfter'] === undefined) {
    throw new SamlRefused('no_usable_confirmation', 'The bearer confirmation does not say when it ends.');
  }
  requireWithin(ours, nowMs, 'The confirmation');
  return ours;
}

const sessionBounds = ({ SessionNotOnOrAfter: end }: Readonly<Record<string, string>>): Record<string, string> =>
  end === undefined ? {} : { NotOnOrAfter: end };

function authnInstant(text: string | undefined, nowMs: number): number {
  if (text === undefined) throw new SamlRefused('no_authentication', 'There is no AuthnInstant.');
  requireWithin({ NotBefore: text }, nowMs, 'The authentication');
  return Math.min(instantOf(text), nowMs);
}

function nameIdOf(subject: Element): NameId {
  const { text, attributes, children } = only(subject, 'NameID', 'no_subject');
  const value = text.trim();
  if (value === '' || children.length > 0) throw new SamlRefused('no_subject', 'The NameID is empty.');
  const { Format: format, NameQualifier, SPNameQualifier } = attributes;
  const given = Object.entries({ NameQualifier, SPNameQualifier });
  const qualifiers = Object.fromEntries(given.filter((entry): entry is [string, string] => Boolean(entry[1])));
  return { value, format: format || null, qualifiers };
}

function attributesOf(assertion: Element): Record<string, string[]> {
  const values = Object.create(null) as Record<string, string[]>;
  for (const statement of childrenOf(assertion, NS.assertion, 'AttributeStatement')) {
    for (const attribute of childrenOf(statement, NS.assertion, 'Attribute')) {
      const name = attribute.attributes['Name'] ?? '';
      const given = childrenOf(attribute, NS.assertion, 'AttributeValue');
      // A value with elements in it is no text; half of it would be another one.
      const texts = given.filter(({ children }) => children.length === 0).map(({ text }) => text.trim());
      values[name] = [...(values[name] ?? []), ...texts];
    }
  }
  return values;
}
