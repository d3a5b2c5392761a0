import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { Day } from '../../parts/Day';
import { formatCents } from '../../parts/Cents';
import { type Reconciliation, useReconciliation } from './queries';
import { Report } from './Report';

type Row = Reconciliation['total'] & { day: string | null; compared: boolean | null };

const AMOUNTS = [
  ['captured_cents', 'Captured'],
  ['refunded_cents', 'Refunded'],
  ['disputed_cents', 'Disputed'],
  ['fees_cents', 'Fees'],
  ['flagged_cents', 'Flagged'],
  ['payouts_cents', 'Paid out'],
  ['difference_cents', 'Difference'],
] as const;
const CHARTED = AMOUNTS.filter(([name]) => ['captured_cents', 'refunded_cents', 'difference_cents'].includes(name));

/** What moved at the payment providers on each day, and by how much it differs from the books. */
export const ReconciliationTab = () => (
  <Report<Reconciliation, Row>
    name="reconciliation"
    query={useReconciliation()}
    chartOf={({ days, currency }) => ({
      axis: 'Day',
      measure: `Amount in ${currency.toUpperCase()}`,
      labels: days.map(({ day }) => day),
      series: CHARTED.map(([name, title]) => ({ title, values: days.map((row) => row[name]) })),
      format: (cents) => formatCents(cents, currency),
    })}
    columnsOf={({ currency }) => [
      { id: 'day', header: 'Day', cell: ({ day }) => (day === null ? 'Total' : <Day on={day} />), isRowHeader: true },
      ...AMOUNTS.map(([name, header]) => ({
        id: name,
        header,
        cell: (row: Row) => formatCents(row[name], currency),
      })),
      { id: 'compared', header: 'Compared with the books', cell: ({ compared }) => <Compared compared={compared} /> },
    ]}
    rowsOf={({ days, total }) => [...days, { ...total, day: null, compared: null }]}
  />
);

function Compared({ compared }: Pick<Row, 'compared'>) {
  if (compared === null) return null;
  return compared ? (
    <StatusIndicator type="success">Compared</StatusIndicator>
  ) : (
    <StatusIndicator type="pending">Not yet</StatusIndicator>
  );
}
