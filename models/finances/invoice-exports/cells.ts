/** Converts invoices to table cells, and sums their amounts. */
import { type ColumnName, isAmount } from './columns.js';
import { decimal } from '../money.js';
import type { InvoiceCells } from './rows.js';

/** Sums in minor units, by currency and column index. */
export type Sums = Map<string, Map<number, bigint>>;

/** Converts invoices to written cells, with amounts as decimal numbers. @param sums the totals to add the amounts to */
export const toCells = (
  invoices: readonly InvoiceCells[],
  columns: readonly ColumnName[],
  sums: Sums,
): (string | null)[][] =>
  invoices.map(({ currency, cells }) =>
    cells.map((cell, index) => {
      if (cell === null || !isAmount(columns[index] as ColumnName)) return cell === null ? null : String(cell);
      const amount = BigInt(cell);
      const currencySums = sums.get(currency) ?? new Map<number, bigint>();
      sums.set(currency, currencySums.set(index, (currencySums.get(index) ?? 0n) + amount));
      return decimal(amount, currency);
    }),
  );

/** Returns the total rows, one per currency. */
export const toTotals = (sums: Sums): { currency: string; sums: Map<number, string> }[] =>
  [...sums].map(([currency, currencySums]) => ({
    currency: currency.toUpperCase(),
    sums: new Map([...currencySums].map(([index, amount]) => [index, decimal(amount, currency)])),
  }));
