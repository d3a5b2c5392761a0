import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import type { BulkAction } from './queries';
import { OUTCOME_LABELS } from './words';

const LABELS: Readonly<Record<keyof BulkAction['totals'], string>> = {
  ...OUTCOME_LABELS,
  acting: 'In progress',
  waiting: 'Not begun',
};

const NAMES = Object.keys(LABELS) as (keyof typeof LABELS)[];

/** Numbers of processes by what was observed of them. They add up to all of them. */
export function Totals({ bulkAction: { totals, targets } }: { bulkAction: BulkAction }) {
  const observed = NAMES.filter((name) => totals[name] > 0);
  return (
    <Container header={<Header variant="h2">Observed</Header>}>
      <KeyValuePairs
        ariaLabel="Numbers of processes"
        columns={4}
        items={[
          { label: 'All processes', value: targets.toLocaleString() },
          ...observed.map((name) => ({ label: LABELS[name], value: totals[name].toLocaleString() })),
        ]}
      />
    </Container>
  );
}
