/** From what a form or a query carries to XML. */
import { SamlRefused } from './refused.js';
import { type Element, readXml, XmlRefused } from './xml.js';

const UTF8 = new TextDecoder('utf-8', { fatal: true });
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** Base64 as forms carry it, line breaks allowed. @throws SamlRefused malformed */
export function decodeMessage(encoded: string): string {
  const text = encoded.replaceAll(/[\r\n\t ]/g, '');
  if (!BASE64.test(text)) throw new SamlRefused('malformed', 'The message is not Base64.');
  try {
    return UTF8.decode(Buffer.from(text, 'base64'));
  } catch {
    throw new SamlRefused('malformed', 'The message is not UTF-8.');
  }
}

/** @throws SamlRefused malformed */
export function readMessage(xml: string): Element {
  try {
    return readXml(xml);
  } catch (error) {
    if (error instanceof XmlRefused) throw new SamlRefused('malformed', error.message);
    throw error;
  }
}
