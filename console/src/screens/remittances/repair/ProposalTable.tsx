import Box from '@cloudscape-design/components/box';
import Header from '@cloudscape-design/components/header';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import Table, { type TableProps } from '@cloudscape-design/components/table';
import type { ReactNode } from 'react';
import { formatCents } from '../../../parts/Cents';
import type { Change, Proposal, Remittance } from '../queries';
import { isIn, keyOf, linesOf, REASONS } from './lines';

interface ProposalTableProps {
  title: string;
  remittance: Remittance;
  proposal: Proposal;
  /** Another proposal, from which this one differs: its lines that the other one has not are marked. */
  comparedTo: Proposal | null;
  /** What is below the reason of a line. */
  check?: (line: Change) => ReactNode;
}

/** A proposal with both sides of each line: for whom the money was meant, and whose invoice it pays. */
export function ProposalTable({ title, remittance, proposal, comparedTo, check }: ProposalTableProps) {
  const { allocations, currency } = remittance;
  const showsAmounts = proposal.waiting_cents !== null;
  const columns: TableProps.ColumnDefinition<Change>[] = [
    {
      id: 'to',
      header: 'Pays',
      isRowHeader: true,
      cell: ({ payer_name, invoice }) => <Side name={payer_name} invoice={invoice} />,
    },
    {
      id: 'from',
      header: 'Was meant for',
      cell: ({ meant_for }) =>
        meant_for === null ? (
          'Nobody: more was captured than was requested'
        ) : (
          <Side
            name={allocations.find(({ invoice }) => invoice === meant_for)?.payer_name ?? 'An invoice'}
            invoice={meant_for}
          />
        ),
    },
    {
      id: 'reason',
      header: 'Reason',
      cell: (line) => (
        <>
          {REASONS[line.reason]}
          {comparedTo && !isIn(line, comparedTo) && (
            <Box>
              <StatusIndicator type="info">Differs</StatusIndicator>
            </Box>
          )}
          {check?.(line)}
        </>
      ),
    },
  ];
  const amounts: TableProps.ColumnDefinition<Change>[] = [
    { id: 'amount', header: 'Amount', cell: ({ amount_cents }) => textOf(amount_cents, currency) },
    {
      id: 'balance',
      header: 'Balance due, before and after',
      cell: ({ balance_before_cents, balance_after_cents }) =>
        `${textOf(balance_before_cents, currency)} → ${textOf(balance_after_cents, currency)}`,
    },
  ];
  return (
    <Table
      header={
        <Header variant="h2" counter={`(${proposal.changes.length})`}>
          {title}
        </Header>
      }
      items={linesOf(proposal)}
      columnDefinitions={showsAmounts ? [...columns, ...amounts] : columns}
      trackBy={keyOf}
      wrapLines
      empty={<Box color="text-body-secondary">No open invoice of the chapter can take the money.</Box>}
      ariaLabels={{ tableLabel: title }}
    />
  );
}

const textOf = (cents: number | null, currency: string): string => (cents === null ? '' : formatCents(cents, currency));

const SHOWN_ID_LENGTH = 8;

/** A payer and the end of the invoice's id, which tells two invoices of one payer apart. */
const Side = ({ name, invoice }: { name: string; invoice: string }) => (
  <>
    {name}
    <Box variant="small" display="block">
      invoice <span className="unbroken">…{invoice.slice(-SHOWN_ID_LENGTH)}</span>
    </Box>
  </>
);
