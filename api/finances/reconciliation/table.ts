import type { Readable } from 'node:stream';
import type { Batch } from '../../../gateways/tables/columns.js';
import { writeTable } from '../../../gateways/tables/writeTable.js';
import type { ReconciliationReport } from '../../../models/finances/reconciliation/readReconciliation.js';
import { SUMS } from './schema.js';

/** Returns the days as CSV. Amounts are whole cents. No cell is a formula. */
export const reconciliationTable = (report: ReconciliationReport): Readable =>
  writeTable(
    'csv',
    ['day', 'currency', ...SUMS, 'compared'].map((title) => ({
      title,
      type: SUMS.some((one) => one === title) ? 'number' : 'text',
    })),
    daysOf(report),
  );

async function* daysOf({ days, currency }: ReconciliationReport): AsyncGenerator<Batch> {
  yield days.map((one) => [one.day, currency, ...SUMS.map((sum) => one[sum]), one.compared ? 'yes' : 'no']);
}
