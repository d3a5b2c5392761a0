import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Table from '@cloudscape-design/components/table';
import { useState } from 'react';
import { formatCents, parseCents } from '../../../parts/Cents';
import { ReasonDialog } from '../../../parts/ReasonDialog';
import { InCurrency } from '../../../parts/InCurrency';
import { type Case, useResolution } from './queries';

type Share = Case['shares'][number];

interface AllocateCaseProps {
  currency: string;
  found: Case;
  onDone: (outcome: string) => void;
}

/** Names the invoices to which a refund or a dispute belongs. The amounts add up to the amount of the case. */
export function AllocateCase({ currency, found: { id, shares, amount_cents }, onDone }: AllocateCaseProps) {
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({});
  const [isOpen, setOpen] = useState(false);
  const { mutate, isPending, error, reset } = useResolution(id, () =>
    onDone('The amount is allocated, and the case is closed.'),
  );
  const amounts = shares.map(({ invoice }) => ({ invoice, cents: parseCents(texts[invoice] ?? '', currency) }));
  const allocations = amounts.flatMap(({ invoice, cents }) => (cents ? [{ invoice, amount_cents: cents }] : []));
  const missing = amount_cents - allocations.reduce((sum, { amount_cents: cents }) => sum + cents, 0);
  const isReady = missing === 0 && amounts.every(({ cents }) => cents !== null);
  const columns = [
    {
      id: 'amount',
      header: 'Belongs to it',
      cell: ({ invoice, payer_name, left_cents }: Share) => (
        <Input
          ariaLabel={`Amount of ${payer_name}`}
          inputMode="decimal"
          disabled={left_cents === 0}
          invalid={parseCents(texts[invoice] ?? '', currency) === null}
          value={texts[invoice] ?? ''}
          onChange={({ detail }) => setTexts({ ...texts, [invoice]: detail.value })}
        />
      ),
    },
    {
      id: 'payer',
      header: 'Payer',
      cell: ({ payer_name, description }: Share) => `${payer_name}: ${description}`,
      isRowHeader: true,
    },
    { id: 'paid', header: 'Paid', cell: ({ amount_cents: cents }: Share) => <InCurrency cents={cents} /> },
    { id: 'left', header: 'Can take at most', cell: ({ left_cents }: Share) => <InCurrency cents={left_cents} /> },
  ];
  return (
    <>
      <Table
        header={
          <Header variant="h2" description="The invoices are due again, and their payers are notified.">
            Allocate the amount to invoices
          </Header>
        }
        items={shares}
        columnDefinitions={columns}
        trackBy="invoice"
        wrapLines
        ariaLabels={{ tableLabel: 'Invoices that the charge paid' }}
        footer={
          <SpaceBetween size="s">
            <Box>
              {missing === 0 && 'The whole amount is allocated.'}
              {missing > 0 &&
                `${formatCents(missing, currency)} of ${formatCents(amount_cents, currency)} is still to be allocated.`}
              {missing < 0 && `${formatCents(-missing, currency)} more than ${formatCents(amount_cents, currency)}.`}
            </Box>
            <Button
              variant="primary"
              disabled={!isReady}
              disabledReason="Allocate exactly the amount of the case first."
              onClick={() => {
                reset();
                setOpen(true);
              }}
            >
              Allocate
            </Button>
          </SpaceBetween>
        }
      />
      {isOpen && (
        <ReasonDialog
          title="Allocate the amount?"
          send="Allocate"
          isSending={isPending}
          error={error}
          onSend={(note) => mutate({ resolution: 'allocated', allocations, note })}
          onClose={() => setOpen(false)}
        >
          The invoices are due again as after any refund.
        </ReasonDialog>
      )}
    </>
  );
}
