import type { Statement } from '../ledger/readStatement.js';
import { amount, columnsFor, inWords } from './words.js';

/** A statement as it is printed. @param seesAmounts whether its reader does */
export function composeStatement(statement: Statement, seesAmounts: boolean) {
  const { currency, entries, from, to } = statement;
  const shown = (cents: number) => amount(cents, currency);
  const start: [string, string] = ['Due when it began', shown(statement.opening_balance_cents)];
  const totals: [string, string][] = [
    ['Due when it ended', shown(statement.closing_balance_cents)],
    ['Credit now', shown(statement.available_credit_cents)],
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
    head: seesAmounts ? [...head, start] : head,
    columns: columnsFor(seesAmounts),
    rows: entries.map((entry) => {
      // What a fee is for was typed by somebody, maybe with an amount in it.
      const said = seesAmounts || entry.kind !== 'fee' ? entry.description : null;
      const what = [entry.day, inWords(entry.kind, said)];
      return seesAmounts ? [...what, shown(entry.effect_cents), shown(entry.running_balance_cents)] : what;
    }),
    totals: seesAmounts ? totals : [],
    asOf: `As of ${statement.as_of}. Days are those of ${statement.organization}.`,
  };
}
