/** Invoices as cells of a table, with the sums of their amounts. */
import { type ColumnName, isAmount } from './columns.js';
import { decimal } from '../money.js';
import type { InvoiceCells } from './rows.js';

/** Of each currency the sums by a column's place, in minor units. */
export type Sums = Map<string, Map<number, bigint>>;

/** Rows as they are written, amounts as decimal numbers. @param sums to which they are added */
export const asCells = (
  invoices: readonly InvoiceCells[],
  columns: readonly ColumnName[],
  sums: Sums,
): (string | null)[][] =>
  invoices.map(({ currency, cells }) =>
    cells.map((cell, place) => {
      if (cell === null || !isAmount(columns[place] as ColumnName)) return cell === null ? null : String(cell);
      const amount = BigInt(cell);
      const ofCurrency = sums.get(currency) ?? new Map<number, bigint>();
      sums.set(currency, ofCurrency.set(place, (ofCurrency.get(place) ?? 0n) + amount));
      return decimal(amount, currency);
    }),
  );

/** What the lines below the rows say, one a currency. */
export const totalsOf = (sums: Sums): { currency: string; sums: Map<number, string> }[] =>
  [...sums].map(([currency, ofCurrency]) => ({
    currency: currency.toUpperCase(),
    sums: new Map([...ofCurrency].map(([place, amount]) => [place, decimal(amount, currency)])),
  }));
