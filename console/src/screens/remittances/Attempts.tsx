import Box from '@cloudscape-design/components/box';
import Header from '@cloudscape-design/components/header';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import Table from '@cloudscape-design/components/table';
import { Time } from '../../parts/Time';
import type { Remittance } from './queries';

type Attempt = Remittance['attempts'][number];

const LABELS: Readonly<Record<Attempt['status'], string>> = {
  pending: 'Pending',
  succeeded: 'Succeeded',
  failed: 'Failed',
  flagged: 'Captured, but not allocated',
};
const TYPES = { pending: 'in-progress', succeeded: 'success', failed: 'error', flagged: 'warning' } as const;

const COLUMNS = [
  {
    id: 'status',
    header: 'Attempt',
    cell: ({ status }: Attempt) => <StatusIndicator type={TYPES[status]}>{LABELS[status]}</StatusIndicator>,
    isRowHeader: true,
  },
  {
    id: 'failure',
    header: 'Failure',
    cell: ({ failure_code, failure_message }: Attempt) =>
      failure_code === null ? '–' : `${failure_message ?? ''} (${failure_code})`.trim(),
  },
  { id: 'began', header: 'Began', cell: ({ created_at }: Attempt) => <Time at={created_at} /> },
  {
    id: 'ended',
    header: 'Ended',
    cell: ({ finished_at }: Attempt) => (finished_at ? <Time at={finished_at} /> : '–'),
  },
];

/** How often the remittance was charged, and with which outcome. */
export const Attempts = ({ remittance: { attempts } }: { remittance: Remittance }) => (
  <Table
    header={
      <Header variant="h2" counter={`(${attempts.length})`}>
        Payment attempts
      </Header>
    }
    items={attempts}
    columnDefinitions={COLUMNS}
    trackBy="id"
    wrapLines
    empty={<Box color="text-body-secondary">It was not charged yet.</Box>}
    ariaLabels={{ tableLabel: 'Payment attempts' }}
  />
);
