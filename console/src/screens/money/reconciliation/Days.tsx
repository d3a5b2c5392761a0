import Box from '@cloudscape-design/components/box';
import Header from '@cloudscape-design/components/header';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import Table, { type TableProps } from '@cloudscape-design/components/table';
import { Day } from '../../../parts/Day';
import { formatCents } from '../../../parts/Cents';
import type { DayRow, Reconciliation } from './queries';

type Amount = Exclude<keyof DayRow, 'day' | 'compared'>;

const AMOUNTS: [Amount, string][] = [
  ['captured_cents', 'Captured'],
  ['refunded_cents', 'Refunded'],
  ['disputed_cents', 'Disputed'],
  ['fees_cents', 'Fees'],
  ['flagged_cents', 'To be decided'],
  ['payouts_cents', 'Payouts'],
  ['difference_cents', 'Difference'],
];

const TOTAL = 'Total';

/** A day, or the total of all days. */
type Line = Pick<DayRow, Amount> & { day: string; compared: boolean | null };

/** The total, then the days, the newest first. */
export function Days({ reconciliation }: { reconciliation: Reconciliation }) {
  const { days, total, currency } = reconciliation;
  const columns: TableProps.ColumnDefinition<Line>[] = [
    { id: 'day', header: 'Day', cell: ({ day }) => (day === TOTAL ? day : <Day on={day} />), isRowHeader: true },
    ...AMOUNTS.map(([name, header]) => ({
      id: name,
      header,
      cell: (line: Line) => <Sum cents={line[name]} currency={currency} isStrong={line.day === TOTAL} />,
    })),
    { id: 'compared', header: 'Compared', cell: ({ compared }) => <Compared compared={compared} /> },
  ];
  return (
    <Table
      header={
        <Header variant="h2" counter={`(${days.length})`}>
          <Day on={reconciliation.from} /> to <Day on={reconciliation.to} />
        </Header>
      }
      items={[{ ...total, day: TOTAL, compared: null }, ...days.toReversed()]}
      columnDefinitions={columns}
      trackBy="day"
      wrapLines
      ariaLabels={{ tableLabel: 'Days' }}
    />
  );
}

const Sum = ({ cents, currency, isStrong }: { cents: number; currency: string; isStrong: boolean }) => (
  <Box fontWeight={isStrong ? 'bold' : 'normal'}>{cents === 0 ? '–' : formatCents(cents, currency)}</Box>
);

function Compared({ compared }: { compared: boolean | null }) {
  if (compared === null) return null;
  return compared ? (
    <StatusIndicator type="success">Yes</StatusIndicator>
  ) : (
    <StatusIndicator type="pending">Not yet</StatusIndicator>
  );
}
