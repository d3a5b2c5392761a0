import type { Readable } from 'node:stream';
import type { Batch, Cell, TableColumn } from '../../../gateways/tables/columns.js';
import { writeTable } from '../../../gateways/tables/writeTable.js';
import { ENTRY_KINDS, EXIT_KINDS, type ReportRow } from '../../../models/organizations/reports/memberReport.js';

type ReportColumn<Row> = TableColumn & { cell: (row: Row) => Cell };

/** Columns that name the group of a row. */
export const GROUP_COLUMNS: readonly ReportColumn<{ group: string | null; name: string | null }>[] = [
  { title: 'group', type: 'text', cell: ({ group }) => group },
  { title: 'name', type: 'text', cell: ({ name }) => name },
];

export const numberColumn = <Row>(title: string, cell: (row: Row) => number): ReportColumn<Row> => ({
  title,
  type: 'number',
  cell,
});

const COLUMNS: readonly ReportColumn<ReportRow>[] = [
  ...GROUP_COLUMNS,
  numberColumn('start', ({ start }) => start),
  ...ENTRY_KINDS.map((kind) => numberColumn<ReportRow>(`in_${kind}`, (row) => row.in[kind])),
  ...EXIT_KINDS.map((kind) => numberColumn<ReportRow>(`out_${kind}`, (row) => row.out[kind])),
  numberColumn('end', ({ end }) => end),
];

/** Returns the groups of the member report as CSV. */
export const memberReportTable = (groups: readonly ReportRow[]): Readable => reportTable(COLUMNS, groups);

/** Returns the groups of a report as CSV. No cell is a formula. */
export const reportTable = <Row>(columns: readonly ReportColumn<Row>[], groups: readonly Row[]): Readable =>
  writeTable('csv', columns, rowsOf(columns, groups));

async function* rowsOf<Row>(columns: readonly ReportColumn<Row>[], groups: readonly Row[]): AsyncGenerator<Batch> {
  yield groups.map((row) => columns.map(({ cell }) => cell(row)));
}
