import type { LedgerCheck } from './queries';

/** Returns the rules that a row breaks. */
export const brokenRules = ({ rules }: LedgerCheck): LedgerCheck['rules'] =>
  rules.filter(({ violations }) => violations.length > 0);
