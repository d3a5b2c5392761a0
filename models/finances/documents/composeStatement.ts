import type { Statement } from '../ledger/readStatement.js';
import { formatAmount, columnsFor, describeEntry } from './words.js';

/** Composes the printed statement of an account. @param seesAmounts whether the reader sees amounts */
export function composeStatement(statement: Statement, seesAmounts: boolean) {
  const { currency, entries, from, to } = statement;
  const format = (cents: number) => formatAmount(cents, currency);
  const openingRow: [string, string] = ['Balance at the start', format(statement.opening_balance_cents)];
  const totals: [string, string][] = [
    ['Balance at the end', format(statement.closing_balance_cents)],
    ['Credit now', format(statement.available_credit_cents)],
  ];
  const head: [string, string][] = [
    ['Chapter', statement.chapter],
    ['From', from ?? 'the beginning'],
    ['To', to],
  ];
  return {
    title: `Statement of ${statement.payer}`,
    organization: statement.organization,
    color: statement.color,
    head: seesAmounts ? [...head, openingRow] : head,
    columns: columnsFor(seesAmounts),
    rows: entries.map((entry) => {
      // Hide the description of a fee from readers who see no amounts, because it is free text and may contain one.
      const visibleText = seesAmounts || entry.kind !== 'fee' ? entry.description : null;
      const textCells = [entry.day, describeEntry(entry.kind, visibleText)];
      return seesAmounts ? [...textCells, format(entry.effect_cents), format(entry.running_balance_cents)] : textCells;
    }),
    totals: seesAmounts ? totals : [],
    asOf: `As of ${statement.as_of}. Days are those of ${statement.organization}.`,
  };
}
