import Box from '@cloudscape-design/components/box';
import Header from '@cloudscape-design/components/header';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import Table from '@cloudscape-design/components/table';
import type { LedgerCheck } from './queries';

type Rule = LedgerCheck['rules'][number];

const COLUMNS = [
  { id: 'name', header: 'Rule', cell: ({ name }: Rule) => sentence(name), isRowHeader: true },
  { id: 'examined', header: 'Rows examined', cell: ({ examined }: Rule) => examined.toLocaleString() },
  {
    id: 'result',
    header: 'Result',
    cell: ({ violations }: Rule) =>
      violations.length > 0 ? (
        <StatusIndicator type="error">Broken</StatusIndicator>
      ) : (
        <StatusIndicator type="success">Holds</StatusIndicator>
      ),
  },
];

/** All rules of a check. */
export const RulesTable = ({ rules }: Pick<LedgerCheck, 'rules'>) => (
  <Table
    variant="container"
    wrapLines
    header={
      <Header variant="h2" counter={`(${rules.length})`}>
        Rules
      </Header>
    }
    items={rules}
    columnDefinitions={COLUMNS}
    trackBy="name"
    ariaLabels={{ tableLabel: 'Rules' }}
    empty={<Box color="text-body-secondary">The rules are listed when the check has ended.</Box>}
  />
);

/** Returns the name of a rule with a capital letter. */
export const sentence = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);
