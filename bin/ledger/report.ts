/** Prints the ledger check for people. */
import type { LedgerCheck } from '../../models/finances/checkLedger.js';
import type { Comparison } from './books.js';

/** Rows printed per rule; further rows are only counted. */
const MOST_PRINTED = 20;

/** Prints every rule with the number of rows examined and the violations, then the verdict. */
export function printReport(
  check: LedgerCheck,
  comparisons: Comparison[],
  unasked = 0,
  print: (line: string) => void = console.log,
): boolean {
  for (const { name, examined, violations } of check.invariants) printRule(name, examined, violations, print);
  for (const { name, examined, underway, violations } of comparisons) {
    printRule(underway > 0 ? `${name} (${underway} under way)` : name, examined, violations, print);
  }
  const passed = check.passed && unasked === 0 && comparisons.every(({ violations }) => violations.length === 0);
  print(verdict(check, comparisons, unasked));
  return passed;
}

function printRule(
  name: string,
  examined: number,
  violations: Record<string, unknown>[],
  print: (line: string) => void,
) {
  print(`${violations.length > 0 ? 'BROKEN' : 'ok'.padEnd(6)} ${String(examined).padStart(8)}  ${name}`);
  for (const row of violations.slice(0, MOST_PRINTED)) print(`         ${JSON.stringify(row)}`);
  if (violations.length > MOST_PRINTED) print(`         … and ${violations.length - MOST_PRINTED} more`);
}

/** Verdict in one line: what was examined, and whether the money is in order. */
export function verdict(check: LedgerCheck, comparisons: Comparison[], unasked = 0): string {
  const broken = check.violations.length + comparisons.reduce((sum, { violations }) => sum + violations.length, 0);
  const examined = check.examined + comparisons.reduce((sum, comparison) => sum + comparison.examined, 0);
  if (broken > 0) return `Ledger check FAILED: ${broken} violations in ${examined} rows examined.`;
  if (check.organizations === 0) return 'Ledger check passed: there is no organization yet, and nothing to examine.';
  if (!check.passed) {
    return `Ledger check FAILED: ${check.organizations} organizations, but no row of theirs was seen. Is this the owner role?`;
  }
  if (unasked > 0)
    return `Ledger check INCOMPLETE: ${unasked} ${unasked === 1 ? 'processor' : 'processors'} could not be asked; 0 violations in ${examined} rows examined.`;
  const underway = comparisons.reduce((sum, comparison) => sum + comparison.underway, 0);
  const open =
    underway > 0 ? ` Under way, and no fault yet: ${underway} ${underway === 1 ? 'charge' : 'charges'}.` : '';
  return `Ledger check passed: ${examined} rows of ${check.organizations} organizations examined, 0 violations.${open}`;
}
