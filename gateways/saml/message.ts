/** Decodes SAML messages of forms and queries into XML. */
import { SamlRefused } from './refused.js';
import { type Element, readXml, XmlRefused } from './xml.js';

const UTF8 = new TextDecoder('utf-8', { fatal: true });
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/**
 * Decodes Base64, which may have line breaks.
 * @throws SamlRefused malformed
 */
export function decodeMessage(encoded: string): string {
  const text = encoded.replaceAll(/[\r\n\t ]/g, '');
  if (!BASE64.test(text)) throw new SamlRefused('malformed', 'The message is not Base64.');
  try {
    return UTF8.decode(Buffer.from(text, 'base64'));
  } catch {
    throw new SamlRefused('malformed', 'The message is not UTF-8.');
  }
}

/**
 * Parses a message.
 * @throws SamlRefused malformed
 */
export function readMessage(xml: string): Element {
  try {
    return readXml(xml);
  } catch (error) {
    if (error instanceof XmlRefused) throw new SamlRefused('malformed', error.message);
    throw error;
  }
}
