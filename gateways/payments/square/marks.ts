/** Square keeps no metadata of payments: what a payment is for stands in its note, a refund's id in its reason. */
import type { ChargeReference } from '../port.js';

const MARK = /(?:^| )([a-z_]{1,40}):([0-9a-fA-F-]{36})(?= |$)/g;

/** At most 500 characters: ids only. */
export const writeMarks = (marks: ChargeReference): string =>
  Object.entries(marks)
    .map(([name, id]) => `${name}:${id}`)
    .join(' ');

const OURS = new Set(['organization_id', 'processor_id', 'remittance_id', 'invoice_id', 'attempt_id', 'refund_id']);

/** Our own marks only: what else an account writes down is none of our business. */
export function readMarks(text: unknown): Record<string, string> {
  if (typeof text !== 'string') return {};
  const marks = [...text.slice(0, 500).matchAll(MARK)].map(([, name, id]) => [name as string, id as string] as const);
  return Object.fromEntries(marks.filter(([name]) => OURS.has(name)));
}

export const hasMarks = (text: unknown, marks: ChargeReference): boolean => {
  const found = readMarks(text);
  return Object.entries(marks).every(([name, id]) => found[name] === id);
};
