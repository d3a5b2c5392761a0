/** Lines of a proposal: each moves a part of the money from the invoice for which it was meant to the one that it pays. */
import type { Change, Proposal } from '../queries';

type Reason = Change['reason'];

export const REASONS: Readonly<Record<Reason, string>> = {
  other_member: 'Another member of the chapter: the oldest due invoice. Check this line.',
  same_member: 'Another invoice of the same member, the oldest due first.',
  replacement: 'The dues were reissued: this invoice replaces the original.',
  shortened: 'Less was captured than was requested, or less is due.',
  kept: 'As it was requested.',
};

const ORDER = Object.keys(REASONS);

/** Returns the lines, those that need attention first. */
export const linesOf = ({ changes }: Proposal): Change[] =>
  changes.toSorted((one, other) => ORDER.indexOf(one.reason) - ORDER.indexOf(other.reason));

/** Identifies a line within its proposal. */
export const keyOf = ({ invoice, reason, meant_for }: Change): string => `${invoice} ${reason} ${meant_for}`;

/** Whether another proposal has the same line. */
export const isIn = (line: Change, { changes }: Proposal): boolean =>
  changes.some((other) => JSON.stringify(other) === JSON.stringify(line));
