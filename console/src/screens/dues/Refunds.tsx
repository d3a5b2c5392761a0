import Box from '@cloudscape-design/components/box';
import Header from '@cloudscape-design/components/header';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import Table from '@cloudscape-design/components/table';
import { Cents } from '../../parts/Cents';
import { Time } from '../../parts/Time';
import type { Refund } from './actions/queries';

const STATUSES = {
  reserved: { type: 'pending', label: 'Being requested' },
  processing: { type: 'in-progress', label: 'Outcome not known yet' },
  succeeded: { type: 'success', label: 'Refunded' },
  failed: { type: 'error', label: 'Failed' },
} as const;

/** The refunds of an invoice, the oldest first, each with its state. */
export const Refunds = ({ refunds, currency }: { refunds: Refund[]; currency: string }) => (
  <Table<Refund>
    variant="container"
    wrapLines
    header={
      <Header variant="h2" counter={`(${refunds.length})`}>
        Refunds
      </Header>
    }
    items={refunds}
    trackBy="id"
    columnDefinitions={[
      { id: 'at', header: 'Requested', cell: ({ created_at }) => <Time at={created_at} />, isRowHeader: true },
      {
        id: 'amount',
        header: 'Amount',
        cell: ({ amount_cents }) => <Cents cents={amount_cents} currency={currency} />,
      },
      { id: 'status', header: 'Status', cell: (refund) => <State refund={refund} /> },
      { id: 'reason', header: 'Reason', cell: ({ reason }) => reason },
    ]}
    ariaLabels={{ tableLabel: 'Refunds' }}
  />
);

const State = ({ refund: { status, failure_code } }: { refund: Refund }) => (
  <>
    <StatusIndicator type={STATUSES[status].type}>{STATUSES[status].label}</StatusIndicator>
    {failure_code && (
      <Box variant="small" display="block">
        {failure_code}
      </Box>
    )}
  </>
);
