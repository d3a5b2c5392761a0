import Button from '@cloudscape-design/components/button';
import ColumnLayout from '@cloudscape-design/components/column-layout';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import { Announced } from '../../parts/Announced';
import { FilterSelect } from '../../parts/FilterSelect';
import { InCurrency } from '../../parts/InCurrency';
import { RowsTable } from '../../parts/RowsTable';
import { useCurrency } from '../../parts/useCurrency';
import { useTermNames } from '../dues/queries';
import { STATUS_LABELS } from '../members/labels';
import { nameOf } from './nameOf';
import { NewRate } from './NewRate';
import { type Rate, useRates } from './queries';
import { RateDialog, RemovalDialog } from './RateDialogs';

const COLUMNS = [
  { id: 'term', header: 'Term', cell: ({ term_name }: Rate) => term_name },
  { id: 'status', header: 'Status', cell: ({ status }: Rate) => STATUS_LABELS[status], isRowHeader: true },
  { id: 'amount', header: 'Amount', cell: ({ amount_cents }: Rate) => <InCurrency cents={amount_cents} /> },
];

type Dialog = { action: 'new' } | { action: 'change' | 'remove'; rate: Rate };

/** What a member owes in a term, by status. */
export function RatesTab() {
  const query = useRates();
  // Its number of decimals says what a typed amount means, so there is no dialog without it.
  const currency = useCurrency();
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const [done, setDone] = useState('');
  const close = (): void => setDialog(null);
  const actions = {
    id: 'actions',
    header: 'Action',
    minWidth: 160,
    cell: (rate: Rate) => (
      <SpaceBetween direction="horizontal" size="xs">
        <Button
          variant="inline-link"
          ariaLabel={`Change ${nameOf(rate)}`}
          disabled={currency === null}
          onClick={() => setDialog({ action: 'change', rate })}
        >
          Change
        </Button>
        <Button
          variant="inline-link"
          ariaLabel={`Remove ${nameOf(rate)}`}
          onClick={() => setDialog({ action: 'remove', rate })}
        >
          Remove
        </Button>
      </SpaceBetween>
    ),
  };
  return (
    <SpaceBetween size="l">
      {done !== '' && <Announced type="success" header={done} />}
      <ColumnLayout columns={3}>
        <FilterSelect label="Term" name="term" all="All terms" options={useTermNames()} />
        <FilterSelect label="Status" name="status" all="Any status" options={STATUS_LABELS} />
      </ColumnLayout>
      <RowsTable<Rate>
        query={query}
        title="Rates"
        columns={[...COLUMNS, actions]}
        rowId={({ id }) => id}
        empty="There are no such rates. A dues run bills nobody without a rate."
        actions={
          <Button disabled={currency === null} onClick={() => setDialog({ action: 'new' })}>
            New rate
          </Button>
        }
      />
      {currency !== null && dialog?.action === 'new' && (
        <NewRate currency={currency} onDone={setDone} onClose={close} />
      )}
      {currency !== null && dialog?.action === 'change' && (
        <RateDialog
          currency={currency}
          opened={dialog.rate}
          rows={query.data?.results ?? []}
          onDone={setDone}
          onClose={close}
        />
      )}
      {dialog?.action === 'remove' && <RemovalDialog rate={dialog.rate} onDone={setDone} onClose={close} />}
    </SpaceBetween>
  );
}
