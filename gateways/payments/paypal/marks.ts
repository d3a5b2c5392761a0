/** What a payment of PayPal is for stands in its `custom_id`, which takes 127 characters: each id is written as its bytes. */
import type { ChargeReference } from '../port.js';

const LETTERS: Readonly<Record<string, string>> = {
  organization_id: 'o',
  processor_id: 'p',
  remittance_id: 'r',
  invoice_id: 'i',
  attempt_id: 'a',
  refund_id: 'f',
};
const NAMES = new Map(Object.entries(LETTERS).map(([name, letter]) => [letter, name]));
const MARK = /^([opriaf])\.([\w-]{22})$/;
const LONGEST = 127;

/** At most 127 characters: ids of ours only. */
export const writeMarks = (marks: ChargeReference): string =>
  Object.entries(marks)
    .filter(([name]) => LETTERS[name])
    .map(([name, id]) => `${LETTERS[name]}.${Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url')}`)
    .join(' ');

/** Our own marks only: what else an account writes there is none of our business. */
export function readMarks(text: unknown): Record<string, string> {
  if (typeof text !== 'string' || text.length > LONGEST) return {};
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
