import Box from '@cloudscape-design/components/box';
import Header from '@cloudscape-design/components/header';
import Table from '@cloudscape-design/components/table';
import { formatCents } from '../../../parts/Cents';
import { Time } from '../../../parts/Time';
import type { Dispute } from './queries';

type Movement = Dispute['movements'][number];

const KINDS: Readonly<Record<Movement['kind'], string>> = {
  withdrawn: 'Withdrawn',
  reinstated: 'Returned',
  fee: 'Fee',
};

/** What the provider has moved because of the dispute, the oldest first. */
export const Movements = ({ dispute: { movements, currency } }: { dispute: Dispute }) => (
  <Table
    header={
      <Header variant="h2" counter={`(${movements.length})`}>
        Movements
      </Header>
    }
    items={movements}
    columnDefinitions={[
      { id: 'kind', header: 'Movement', cell: ({ kind }: Movement) => KINDS[kind], isRowHeader: true },
      { id: 'amount', header: 'Amount', cell: ({ amount_cents }: Movement) => formatCents(amount_cents, currency) },
      { id: 'at', header: 'At', cell: ({ moved_at }: Movement) => <Time at={moved_at} /> },
      { id: 'id', header: 'Id at the provider', cell: ({ gateway_movement_id }: Movement) => gateway_movement_id },
    ]}
    trackBy="gateway_movement_id"
    wrapLines
    empty={<Box color="text-body-secondary">No money has moved.</Box>}
    ariaLabels={{ tableLabel: 'Movements' }}
  />
);
