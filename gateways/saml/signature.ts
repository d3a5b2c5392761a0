/** Enveloped XML signatures. node-saml verifies them, and only the bytes that it returns are trusted. */
import { X509Certificate } from 'node:crypto';
// The library's public entry point would use the host's clock and a second parser.
import { getVerifiedXml, parseDomFromString } from '@node-saml/node-saml/lib/xml.js';
import { SignedXml } from 'xml-crypto';
import { DIGEST_ALGORITHMS, NS, SIGNATURE_ALGORITHMS } from './names.js';
import type { SignatureProblem } from './refused.js';
import { type Element, readXml } from './xml.js';

/** The parts of the library's DOM that are used. */
interface DomElement {
  nodeName: string;
  localName: string | null;
  childNodes: ArrayLike<DomElement>;
  getElementsByTagNameNS(namespace: string, name: string): ArrayLike<DomElement>;
  getAttribute(name: string): string | null;
}

/**
 * Returns the element that one of the certificates signed, parsed from the signature's canonical bytes, never from the
 * original document.
 * @param xml a document that `readXml` has accepted
 * @param find the element that must be signed itself, as a whole
 * @returns null if it is not signed, or not by one of the certificates
 */
export async function signedElement(
  xml: string,
  find: 'document' | 'assertion',
  certificates: readonly string[],
): Promise<Element | null> {
  const { documentElement: root } = (await parseDomFromString(xml)) as unknown as { documentElement: DomElement };
  const target = find === 'document' ? root : assertionIn(root);
  if (!target || !usesStrongAlgorithms(root)) return null;
  try {
    const verified = getVerifiedXml(xml, target as never, [...certificates]);
    return verified === null ? null : readXml(verified);
  } catch {
    // The library throws an error for a malformed signature, and returns null for a wrong signature. Return null in
    // either case.
    return null;
  }
}

/** Returns why `signedElement` returned null, for the administrator of the connection. */
export async function signatureProblem(
  xml: string,
  find: 'document' | 'assertion',
  certificates: readonly string[],
  nowMs: number,
): Promise<SignatureProblem> {
  const { documentElement: root } = (await parseDomFromString(xml)) as unknown as { documentElement: DomElement };
  const target = find === 'document' ? root : assertionIn(root);
  const signatures = Array.from(target?.childNodes ?? []).filter((node) => node.localName === 'Signature');
  const [signature] = signatures;
  if (!signature) return 'missing';
  if (signatures.length > 1) return 'malformed';
  if (!usesStrongAlgorithms(root)) return 'algorithm';
  if (!digestMatches(xml, signature, certificates)) return 'digest_mismatch';
  const areExpired = certificates.every((pem) => Date.parse(new X509Certificate(pem).validTo) < nowMs);
  return areExpired ? 'certificate_expired' : 'certificate_mismatch';
}

/**
 * Reports whether the digest matches. The library compares digests before it verifies the signature with the key, so
 * its error about the signature value means that the digest matched and only the key is wrong. The result only explains
 * a refusal; it never makes a document trusted.
 */
function digestMatches(xml: string, signature: DomElement, [certificate]: readonly string[]): boolean {
  const signedXml = new SignedXml({ publicCert: certificate ?? '' });
  try {
    signedXml.loadSignature(signature as never);
    return signedXml.checkSignature(xml.replaceAll(/\r\n?/g, '\n'));
  } catch (error) {
    return /signature value/.test((error as Error).message);
  }
}

function assertionIn(root: DomElement): DomElement | undefined {
  const assertions = Array.from(root.childNodes).filter((node) => node.nodeName.split(':').at(-1) === 'Assertion');
  return assertions.length === 1 ? assertions[0] : undefined;
}

/** The accepted canonicalizations: exclusive and inclusive without comments, which remove nothing but comments. */
const CANONICALIZATIONS: readonly string[] = [
  'http://www.w3.org/2001/10/xml-exc-c14n#',
  'http://www.w3.org/TR/2001/REC-xml-c14n-20010315',
];
const TRANSFORMS: readonly string[] = ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', ...CANONICALIZATIONS];

/**
 * Returns the algorithms that signatures use. Those of encrypted keys are left out, although their elements have the
 * same names: they are checked when the keys are decrypted.
 */
const algorithmsOf = (root: DomElement, name: string): (string | null)[] =>
  Array.from(root.getElementsByTagNameNS(NS.signature, 'Signature')).flatMap((signature) =>
    Array.from(signature.getElementsByTagNameNS(NS.signature, name)).map((element) =>
      element.getAttribute('Algorithm'),
    ),
  );

const usesStrongAlgorithms = (root: DomElement): boolean =>
  algorithmsOf(root, 'SignatureMethod').every((name) => name !== null && SIGNATURE_ALGORITHMS.has(name)) &&
  algorithmsOf(root, 'DigestMethod').every((name) => name !== null && DIGEST_ALGORITHMS.includes(name)) &&
  algorithmsOf(root, 'CanonicalizationMethod').every((name) => name !== null && CANONICALIZATIONS.includes(name)) &&
  algorithmsOf(root, 'Transform').every((name) => name !== null && TRANSFORMS.includes(name));
