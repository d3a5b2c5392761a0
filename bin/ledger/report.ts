/** Prints the ledger check as text. */
import type { LedgerReport } from '../../models/finances/checkLedger.js';
import type { Comparison } from './books.js';

/** Rows printed per rule; further rows are only counted. */
const MAX_PRINTED = 20;

/** Prints every rule with the number of rows examined and the violations, then the verdict. */
export function printReport(
  check: LedgerReport,
  comparisons: Comparison[],
  notQueried = 0,
  print: (line: string) => void = console.log,
): boolean {
  for (const { name, examined, violations } of check.invariants) printRule(name, examined, violations, print);
  for (const { name, examined, inFlight, violations } of comparisons) {
    printRule(inFlight > 0 ? `${name} (${inFlight} in flight)` : name, examined, violations, print);
  }
  const passed = check.passed && notQueried === 0 && comparisons.every(({ violations }) => violations.length === 0);
  print(verdict(check, comparisons, notQueried));
  return passed;
}

function printRule(
  name: string,
  examined: number,
  violations: Record<string, unknown>[],
  print: (line: string) => void,
) {
  print(`${violations.length > 0 ? 'BROKEN' : 'ok'.padEnd(6)} ${String(examined).padStart(8)}  ${name}`);
  for (const row of violations.slice(0, MAX_PRINTED)) print(`         ${JSON.stringify(row)}`);
  if (violations.length > MAX_PRINTED) print(`         … and ${violations.length - MAX_PRINTED} more`);
}

/** Verdict in one line: what was examined, and whether the money is in order. */
export function verdict(check: LedgerReport, comparisons: Comparison[], notQueried = 0): string {
  const broken = check.violations.length + comparisons.reduce((sum, { violations }) => sum + violations.length, 0);
  const examined = check.examined + comparisons.reduce((sum, comparison) => sum + comparison.examined, 0);
  if (broken > 0) return `Ledger check FAILED: ${broken} violations in ${examined} rows examined.`;
  if (check.organizations === 0)
    return 'Ledger check passed: there are no organizations yet, so no rows were examined.';
  if (!check.passed) {
    return `Ledger check FAILED: ${check.organizations} organizations, but none of their rows was visible. Is this the owner role?`;
  }
  if (notQueried > 0)
    return `Ledger check INCOMPLETE: ${notQueried} ${notQueried === 1 ? 'processor' : 'processors'} could not be queried; 0 violations in ${examined} rows examined.`;
  const inFlight = comparisons.reduce((sum, comparison) => sum + comparison.inFlight, 0);
  const open =
    inFlight > 0 ? ` In flight, which is no fault: ${inFlight} ${inFlight === 1 ? 'charge' : 'charges'}.` : '';
  return `Ledger check passed: ${examined} rows of ${check.organizations} organizations examined, 0 violations.${open}`;
}
