import Box from '@cloudscape-design/components/box';
import Header from '@cloudscape-design/components/header';
import Table from '@cloudscape-design/components/table';
import { Cents } from '../../parts/Cents';
import { Day } from '../../parts/Day';
import { LinkTo } from '../../parts/LinkTo';
import { Time } from '../../parts/Time';
import { audiencesOf, useMe } from '../../session/me';
import { words } from '../processes/kinds';
import { processHref } from '../processes/processHref';
import type { Explanation } from './queries';

type Entry = Explanation['entries'][number];

/** Every change of the balance, the oldest first: its cause, who made it, and the balance after it. */
export function ExplanationTable({ explanation: { entries, currency, balance_cents } }: { explanation: Explanation }) {
  const columns = [
    { id: 'at', header: 'Time', cell: (entry: Entry) => <When entry={entry} /> },
    { id: 'cause', header: 'Cause', cell: (entry: Entry) => <Cause entry={entry} />, isRowHeader: true },
    { id: 'actor', header: 'Person', cell: ({ actor }: Entry) => actor?.name ?? 'The platform' },
    {
      id: 'effect',
      header: 'Effect on the balance',
      cell: ({ effect_cents }: Entry) => <Cents cents={effect_cents} currency={currency} />,
    },
    {
      id: 'balance',
      header: 'Balance after it',
      cell: ({ running_balance_cents }: Entry) => <Cents cents={running_balance_cents} currency={currency} />,
    },
  ];
  // Where amounts are hidden, the columns would be empty.
  const shown = balance_cents === null ? columns.slice(0, 3) : columns;
  return (
    <Table<Entry>
      variant="container"
      wrapLines
      header={<Header variant="h2">Why the balance is what it is</Header>}
      items={entries}
      columnDefinitions={shown}
      ariaLabels={{ tableLabel: 'Changes of the balance' }}
      empty={<Box color="text-body-secondary">Nothing has changed the balance.</Box>}
    />
  );
}

function When({ entry: { at, received_on } }: { entry: Entry }) {
  return (
    <>
      <Time at={at} />
      {received_on && (
        <Box variant="small" display="block">
          received on <Day on={received_on} />
        </Box>
      )}
    </>
  );
}

function Cause({ entry: { cause, reason } }: { entry: Entry }) {
  const { data: me } = useMe();
  const opensProcesses = me && audiencesOf(me).has('organization_admin');
  return (
    <>
      {cause.process && opensProcesses ? (
        <LinkTo href={processHref(cause.process)}>{words(cause.kind)}</LinkTo>
      ) : (
        words(cause.kind)
      )}
      {reason && (
        <Box variant="small" display="block">
          {reason}
        </Box>
      )}
    </>
  );
}
