import type { LedgerCheck } from './queries';

/** Returns the rules that a row breaks. */
export const brokenRules = ({ rules }: LedgerCheck): LedgerCheck['rules'] =>
  rules.filter(({ violations }) => violations.length > 0);

/** Returns who started the check. */
export const starterOf = ({ night }: LedgerCheck): string => (night === null ? 'An administrator' : 'Nightly schedule');
