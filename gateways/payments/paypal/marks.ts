/**
 * Encodes the references of a payment into its `custom_id`, which is limited to 127 characters: at most five ids, each as
 * its bytes.
 */
import type { ChargeReference } from '../port.js';

const LETTERS: Readonly<Record<string, string>> = {
  organization_id: 'o',
  processor_id: 'p',
  remittance_id: 'r',
  invoice_id: 'i',
  donation_id: 'd',
  pledge_id: 'l',
  attempt_id: 'a',
  refund_id: 'f',
};
const NAMES = new Map(Object.entries(LETTERS).map(([name, letter]) => [letter, name]));
const MARK = /^([opridlaf])\.([\w-]{22})$/;
const MAX_LENGTH = 127;

/** Encodes our own ids as a text of at most 127 characters for `custom_id`. */
export const writeMarks = (marks: ChargeReference): string =>
  Object.entries(marks)
    .filter(([name]) => LETTERS[name])
    .map(([name, id]) => `${LETTERS[name]}.${Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url')}`)
    .join(' ');

/** Decodes our own ids from `custom_id`. Any other text, which does not come from us, is ignored. */
export function readMarks(text: unknown): Record<string, string> {
  if (typeof text !== 'string' || text.length > MAX_LENGTH) return {};
  const marks = text.split(' ').flatMap((word) => {
    const [, letter = '', bytes = ''] = MARK.exec(word) ?? [];
    const name = NAMES.get(letter);
    return name ? [[name, idOf(bytes)] as const] : [];
  });
  return Object.fromEntries(marks);
}

const idOf = (bytes: string): string =>
  Buffer.from(bytes, 'base64url')
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
