/**
 * Reads a response to our AuthnRequest (SAML profiles, 4.1.4). All facts about the person are read from the bytes that
 * the signature covers; the unsigned envelope must only be consistent with them.
 */
import { decryptAssertion } from './decrypt.js';
import { BEARER, NS, STATUS } from './names.js';
import { SamlRefused, type SignatureProblem } from './refused.js';
import { instantOf, requireWithin } from './time.js';
import { decodeMessage, readMessage } from './message.js';
import { childrenOf, type Element } from './xml.js';

export interface Expected {
  idpEntityId: string;
  /** The provider's certificates for signatures, PEM; several during a rollover. */
  certificates: readonly string[];
  /** PEM: our keys for encrypted assertions, the newest first; often none. */
  decryptionKeys: readonly string[];
  /** Our entity id. */
  audience: string;
  /** Our assertion consumer service (ACS). */
  acsUrl: string;
  nowMs: number;
}

export interface NameId {
  value: string;
  format: string | null;
  /** The qualifiers as received; a later LogoutRequest must repeat them. */
  qualifiers: Readonly<Record<string, string>>;
}

export interface VerifiedAssertion {
  id: string;
  issuer: string;
  nameId: NameId;
  sessionIndex: string | null;
  authnInstantMs: number;
  /** The id of the AuthnRequest to which the assertion responds. */
  inResponseTo: string;
  /** The end of the assertion's validity. Until then its id is stored to detect a replay. */
  expiresAtMs: number;
  /** Attribute values by attribute name. */
  attributes: Record<string, string[]>;
}

/**
 * Reads and verifies a response.
 * @param encoded the form field `SAMLResponse`
 * @throws SamlRefused
 */
export async function readResponse(encoded: string, expected: Expected): Promise<VerifiedAssertion> {
  const xml = decodeMessage(encoded);
  const response = readMessage(xml);
  checkEnvelope(response, expected);
  const document = isEncrypted(response) ? await decryptResponse(xml, response, expected) : xml;
  return readAssertion(await requireSigned(document, 'assertion', expected), response, expected);
}

/**
 * Verifies the signature of the document, or of its assertion.
 * @returns the signed element
 * @throws SamlRefused signature_invalid
 */
async function requireSigned(
  xml: string,
  find: 'document' | 'assertion',
  { certificates, nowMs }: Expected,
): Promise<Element> {
  // Loaded on first use, because the signature library needs megabytes of memory.
  const { signatureProblem, signedElement } = await import('./signature.js');
  const signed = await signedElement(xml, find, certificates);
  if (signed) return signed;
  const problem = await signatureProblem(xml, find, certificates, nowMs);
  throw new SamlRefused(
    'signature_invalid',
    signatureMessages(find === 'document' ? 'response' : find)[problem],
    problem,
  );
}

/**
 * Matches the encrypted assertion. A regular expression is safe here, because the response has exactly one encrypted
 * assertion, and no text or attribute contains `<`.
 */
const ENCRYPTED = /<((?:[\w.-]+:)?EncryptedAssertion)\b[\s\S]*<\/\1\s*>/;

/**
 * Returns the response with the decrypted assertion in the place of the encrypted one. The assertion stays in its
 * place, because it was signed there, and an inclusive canonicalization depends on the surrounding elements. If the
 * response is signed, its signature is verified before any key is used, and only the part that the signature covers is
 * decrypted.
 */
async function decryptResponse(xml: string, response: Element, expected: Expected): Promise<string> {
  const isSealed = childrenOf(response, NS.signature, 'Signature').length > 0;
  const container = isSealed ? await requireSigned(xml, 'document', expected) : response;
  requireOne(container, 'EncryptedAssertion');
  const assertion = decryptAssertion(container, expected.decryptionKeys, isSealed);
  const document = xml.replace(ENCRYPTED, () => assertion);
  requireOne(readMessage(document), 'Assertion');
  return document;
}

/**
 * Returns the message of each problem.
 * @param what the name of the element that must be signed
 */
const signatureMessages = (what: string): Record<SignatureProblem, string> => ({
  missing: `The ${what} is not signed itself: the signature of the response around it is not enough.`,
  malformed: `The signature of the ${what} cannot be read.`,
  algorithm: 'The signature, its digest or its canonical form is of a kind that is not accepted, for example SHA-1.',
  digest_mismatch: `The ${what} was changed after it was signed: its digest does not match.`,
  certificate_mismatch: 'The signature was made with another key than those of the configured certificates.',
  certificate_expired:
    'The signature was made with another key than those of the configured certificates, which have expired.',
});

/** Checks the envelope, signed or not, against the expected values. */
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

/**
 * Counts elements of a name at any depth, because a second one could be mistaken for the first (signature wrapping).
 */
const count = (element: Element, name: string): number =>
  element.children.reduce((sum, child) => sum + (child.name === name ? 1 : 0) + count(child, name), 0);

function requireIssuer(issuer: Element, { idpEntityId }: Expected): void {
  if (issuer.text.trim() === idpEntityId && issuer.children.length === 0) return;
  throw new SamlRefused('wrong_issuer', `The issuer is ${issuer.text.trim().slice(0, 200)}.`);
}

function readAssertion(assertion: Element, response: Element, expected: Expected): VerifiedAssertion {
  const id = assertion.attributes['ID'];
  if (assertion.name !== 'Assertion' || assertion.namespace !== NS.assertion || !id) {
    throw new SamlRefused('signature_invalid', 'The signed element is not the assertion.');
  }
  requireIssuer(only(assertion, 'Issuer', 'wrong_issuer'), expected);
  const conditionsEnd = checkConditions(only(assertion, 'Conditions', 'wrong_audience'), expected);
  const subject = only(assertion, 'Subject', 'no_subject');
  const confirmation = bearerConfirmation(subject, expected);
  const inResponseTo = confirmation['InResponseTo'];
  if (inResponseTo === undefined && response.attributes['InResponseTo'] === undefined) {
    throw new SamlRefused('unsolicited', 'The assertion was not requested (IdP-initiated sign-in).');
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
  const matches = childrenOf(parent, NS.assertion, name);
  if (matches.length === 1 && matches[0]) return matches[0];
  throw new SamlRefused(reason, `The ${parent.name} has ${matches.length} of ${name}.`);
}

/**
 * Checks the conditions (SAML core, 2.5.1).
 * @returns the end of the assertion's validity in milliseconds since 1970; 0 if the conditions name no end
 */
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
  const supported = ['AudienceRestriction', 'OneTimeUse', 'ProxyRestriction'];
  const other = conditions.children.find((child) => !supported.includes(child.name));
  if (other) throw new SamlRefused('unknown_condition', `The assertion has an unsupported condition: ${other.name}.`);
  const end = conditions.attributes['NotOnOrAfter'];
  return end === undefined ? 0 : instantOf(end);
}

/** Returns the data of the bearer confirmation for our ACS (SAML profiles, 4.1.4.2). */
function bearerConfirmation(subject: Element, { acsUrl, nowMs }: Expected): Readonly<Record<string, string>> {
  const data = childrenOf(subject, NS.assertion, 'SubjectConfirmation')
    .filter(({ attributes }) => attributes['Method'] === BEARER)
    .flatMap((confirmation) => childrenOf(confirmation, NS.assertion, 'SubjectConfirmationData'))
    .map(({ attributes }) => attributes);
  if (data.length === 0) throw new SamlRefused('no_usable_confirmation', 'There is no bearer confirmation.');
  const ownData = data.find(({ Recipient }) => Recipient === acsUrl);
  if (!ownData) throw new SamlRefused('wrong_recipient', `The recipient is ${data[0]?.['Recipient'] ?? 'not named'}.`);
  if (ownData['NotOnOrAfter'] === undefined) {
    throw new SamlRefused('no_usable_confirmation', 'The bearer confirmation does not say when it ends.');
  }
  requireWithin(ownData, nowMs, 'The confirmation');
  return ownData;
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
  const qualifierEntries = Object.entries({ NameQualifier, SPNameQualifier });
  const qualifiers = Object.fromEntries(
    qualifierEntries.filter((entry): entry is [string, string] => Boolean(entry[1])),
  );
  return { value, format: format || null, qualifiers };
}

function attributesOf(assertion: Element): Record<string, string[]> {
  const values = Object.create(null) as Record<string, string[]>;
  for (const statement of childrenOf(assertion, NS.assertion, 'AttributeStatement')) {
    for (const attribute of childrenOf(statement, NS.assertion, 'Attribute')) {
      const name = attribute.attributes['Name'] ?? '';
      const valueElements = childrenOf(attribute, NS.assertion, 'AttributeValue');
      // A value with child elements is skipped, because its text alone would be a different value.
      const texts = valueElements.filter(({ children }) => children.length === 0).map(({ text }) => text.trim());
      values[name] = [...(values[name] ?? []), ...texts];
    }
  }
  return values;
}
