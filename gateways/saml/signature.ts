/** Signatures inside of a document (XML Signature, enveloped). node-saml verifies; what it returns is all that is believed. */
import { X509Certificate } from 'node:crypto';
// The library's own entrance would judge times by the host's clock and read the message with a second parser.
import { getVerifiedXml, parseDomFromString } from '@node-saml/node-saml/lib/xml.js';
import { SignedXml } from 'xml-crypto';
import { DIGEST_ALGORITHMS, NS, SIGNATURE_ALGORITHMS } from './names.js';
import type { SignatureProblem } from './refused.js';
import { type Element, readXml } from './xml.js';

/** What we ask of the library's document. */
interface DomElement {
  nodeName: string;
  localName: string | null;
  childNodes: ArrayLike<DomElement>;
  getElementsByTagNameNS(namespace: string, name: string): ArrayLike<DomElement>;
  getAttribute(name: string): string | null;
}

/**
 * What one of the certificates signed, as the signature's canonical bytes: never the document that it came in.
 * @param xml a document that `readXml` has accepted
 * @param find which of the document's elements has to be signed itself, as a whole
 * @returns null when it is not
 */
export async function signedElement(
  xml: string,
  find: 'document' | 'assertion',
  certificates: readonly string[],
): Promise<Element | null> {
  const { documentElement: root } = (await parseDomFromString(xml)) as unknown as { documentElement: DomElement };
  const wanted = find === 'document' ? root : assertionIn(root);
  if (!wanted || !usesStrongAlgorithms(root)) return null;
  try {
    const verified = getVerifiedXml(xml, wanted as never, [...certificates]);
    return verified === null ? null : readXml(verified);
  } catch {
    // The library throws for malformed signatures, and returns null for wrong ones.
    return null;
  }
}

/** Why `signedElement` found nothing: what the person who set the connection up has to look at. */
export async function signatureProblem(
  xml: string,
  find: 'document' | 'assertion',
  certificates: readonly string[],
  nowMs: number,
): Promise<SignatureProblem> {
  const { documentElement: root } = (await parseDomFromString(xml)) as unknown as { documentElement: DomElement };
  const wanted = find === 'document' ? root : assertionIn(root);
  const signatures = Array.from(wanted?.childNodes ?? []).filter((node) => node.localName === 'Signature');
  const [signature] = signatures;
  if (!signature) return 'missing';
  if (signatures.length > 1) return 'malformed';
  if (!usesStrongAlgorithms(root)) return 'algorithm';
  if (!digestHolds(xml, signature, certificates)) return 'digest_mismatch';
  const areOver = certificates.every((pem) => Date.parse(new X509Certificate(pem).validTo) < nowMs);
  return areOver ? 'certificate_expired' : 'certificate_mismatch';
}

/** The library compares digests before it asks who signed them, and throws for the latter. Nothing here is believed. */
function digestHolds(xml: string, signature: DomElement, [certificate]: readonly string[]): boolean {
  const checking = new SignedXml({ publicCert: certificate ?? '' });
  try {
    checking.loadSignature(signature as never);
    return checking.checkSignature(xml.replaceAll(/\r\n?/g, '\n'));
  } catch (error) {
    return /signature value/.test((error as Error).message);
  }
}

function assertionIn(root: DomElement): DomElement | undefined {
  const found = Array.from(root.childNodes).filter((node) => node.nodeName.split(':').at(-1) === 'Assertion');
  return found.length === 1 ? found[0] : undefined;
}

/** The canonical forms that the library makes; only exclusive and inclusive, which leave nothing of what is read out but comments. */
const CANONICALIZATIONS: readonly string[] = [
  'http://www.w3.org/2001/10/xml-exc-c14n#',
  'http://www.w3.org/TR/2001/REC-xml-c14n-20010315',
];
const TRANSFORMS: readonly string[] = ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', ...CANONICALIZATIONS];

/** Of signatures: what an encrypted key was made with has the same names, and is judged where it is opened. */
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
