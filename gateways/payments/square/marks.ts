/**
 * Stores our ids as text in the note of a payment and in the reason of a refund, because Square has no metadata for
 * payments.
 */
import { REFERENCES } from '../events.js';
import type { ChargeReference } from '../port.js';

const MARK = /(?:^| )([a-z_]{1,40}):([0-9a-fA-F-]{36})(?= |$)/g;

/** Encodes ids, in at most 500 characters. */
export const writeMarks = (marks: ChargeReference): string =>
  Object.entries(marks)
    .map(([name, id]) => `${name}:${id}`)
    .join(' ');

const OUR_KEYS = new Set([...REFERENCES, 'refund_id']);

/** Decodes our own ids from a note or a reason. Any other text, which does not come from us, is ignored. */
export function readMarks(text: unknown): Record<string, string> {
  if (typeof text !== 'string') return {};
  const marks = [...text.slice(0, 500).matchAll(MARK)].map(([, name, id]) => [name as string, id as string] as const);
  return Object.fromEntries(marks.filter(([name]) => OUR_KEYS.has(name)));
}

export const hasMarks = (text: unknown, marks: ChargeReference): boolean => {
  const storedMarks = readMarks(text);
  return Object.entries(marks).every(([name, id]) => storedMarks[name] === id);
};
