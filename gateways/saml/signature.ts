/** Signatures inside of a document (XML Signature, enveloped). node-saml verifies; what it returns is all that is believed. */
// The library's own entrance would judge times by the host's clock and read the message with a second parser.
import { getVerifiedXml, parseDomFromString } from '@node-saml/node-saml/lib/xml.js';
import { DIGEST_ALGORITHMS, NS, SIGNATURE_ALGORITHMS } from './names.js';
import { type Element, readXml } from './xml.js';

/** What we ask of the library's document. */
interface DomElement {
  nodeName: string;
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

function assertionIn(root: DomElement): DomElement | undefined {
  const found = Array.from(root.childNodes).filter((node) => node.nodeName.split(':').at(-1) === 'Assertion');
  return found.length === 1 ? found[0] : undefined;
}

const algorithmsOf = (root: DomElement, name: string): (string | null)[] =>
  Array.from(root.getElementsByTagNameNS(NS.signature, name)).map((element) => element.getAttribute('Algorithm'));

const usesStrongAlgorithms = (root: DomElement): boolean =>
  algorithmsOf(root, 'SignatureMethod').every((name) => name !== null && SIGNATURE_ALGORITHMS.has(name)) &&
  algorithmsOf(root, 'DigestMethod').every((name) => name !== null && DIGEST_ALGORITHMS.includes(name));
