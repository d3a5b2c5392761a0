import KeyValuePairs, { type KeyValuePairsProps } from '@cloudscape-design/components/key-value-pairs';
import Link from '@cloudscape-design/components/link';
import { Time } from '../../parts/Time';
import { MoneyMoved } from './MoneyMoved';
import { ProcessStatus } from './ProcessStatus';
import type { Process } from './queries';

export function Facts({ process }: { process: Process }) {
  const { waiting_for, last_failure, attempts, next_attempt_at, started_at, closed_at, temporal_url } = process;
  const items: KeyValuePairsProps.Item[] = [
    { label: 'Status', value: <ProcessStatus process={process} /> },
    { label: 'Money', value: <MoneyMoved moved={process.money_moved} /> },
    { label: 'At the moment', value: waiting_for ? <Wait {...waiting_for} /> : 'Waits for nothing.' },
    {
      label: 'Last failure',
      value: last_failure ? (
        <>
          {last_failure.detail} {last_failure.at && <Time at={last_failure.at} />}
        </>
      ) : (
        'None'
      ),
    },
    { label: 'Attempts of the step', value: attempts },
    { label: 'Next attempt', value: next_attempt_at ? <Time at={next_attempt_at} /> : '–' },
    { label: 'Started', value: <Time at={started_at} /> },
    { label: 'Ended', value: closed_at ? <Time at={closed_at} /> : '–' },
  ];
  if (temporal_url)
    items.push({
      label: 'Temporal',
      value: (
        <Link href={temporal_url} external>
          Open the workflow
        </Link>
      ),
    });
  return <KeyValuePairs columns={4} items={items} />;
}

function Wait({ detail, until }: NonNullable<Process['waiting_for']>) {
  return (
    <>
      {detail} {until && <Time at={until} />}
    </>
  );
}
