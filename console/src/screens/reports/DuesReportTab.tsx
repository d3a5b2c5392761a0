import { FilterSelect } from '../../parts/FilterSelect';
import { formatCents } from '../../parts/Cents';
import { words } from '../processes/kinds';
import { type DuesReport, useDuesReport } from './queries';
import { Report } from './Report';

type Row = DuesReport['groups'][number];

const GROUPINGS = { term: 'Term', month: 'Month of issue', status: 'Status' };
const PAYERS = { chapter: 'Chapters', member: 'Members' };
const AMOUNTS = [
  ['total_cents', 'Billed'],
  ['discount_cents', 'Discounts'],
  ['credit_cents', 'Credit'],
  ['paid_cents', 'Paid'],
  ['overpaid_cents', 'Overpaid'],
  ['balance_due_cents', 'Balance due'],
] as const;
const CHARTED = AMOUNTS.filter(([name]) => ['total_cents', 'paid_cents', 'balance_due_cents'].includes(name));

const nameOf = ({ group, name }: Row): string => name ?? (group === null ? 'None' : words(group));

/** The sums of the invoices that were issued within a time span. */
export const DuesReportTab = () => (
  <Report<DuesReport, Row>
    name="dues"
    query={useDuesReport()}
    filters={
      <>
        <FilterSelect label="By" name="group_by" all="Chapter" options={GROUPINGS} />
        <FilterSelect label="Payers" name="payer_type" all="All payers" options={PAYERS} />
      </>
    }
    chartOf={({ groups, currency, group_by }) => ({
      axis: words(group_by),
      measure: `Amount in ${currency.toUpperCase()}`,
      labels: groups.map(nameOf),
      series: CHARTED.map(([name, title]) => ({ title, values: groups.map((row) => row[name]) })),
      format: (cents) => formatCents(cents, currency),
    })}
    columnsOf={({ currency, group_by }) => [
      { id: 'group', header: words(group_by), cell: nameOf, isRowHeader: true },
      { id: 'invoices', header: 'Invoices', cell: ({ invoices }) => invoices.toLocaleString() },
      ...AMOUNTS.map(([name, header]) => ({
        id: name,
        header,
        cell: (row: Row) => formatCents(row[name], currency),
      })),
    ]}
    rowsOf={({ groups, total }) => [...groups, { ...total, group: 'total', name: 'Total' }]}
  />
);
