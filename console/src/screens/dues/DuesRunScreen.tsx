import Alert from '@cloudscape-design/components/alert';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import ProgressBar from '@cloudscape-design/components/progress-bar';
import { useParams } from '@tanstack/react-router';
import { Day } from '../../parts/Day';
import { LinkTo } from '../../parts/LinkTo';
import { Loaded } from '../../parts/Loaded';
import { Page } from '../../parts/Page';
import { Time } from '../../parts/Time';
import { useChapters } from '../../parts/useChapters';
import { processHref } from '../processes/processHref';
import { type DuesRun, useDuesRun } from './queries';
import { RunStatus } from './RunStatus';

/** The progress of one run, and what it has issued. */
export function DuesRunScreen() {
  const { id = '' }: { id?: string } = useParams({ strict: false });
  const query = useDuesRun(id);
  return (
    <Page title={query.data ? `Dues of ${query.data.term_name}` : 'Dues run'}>
      <Loaded query={query}>{(run) => <Run run={run} />}</Loaded>
    </Page>
  );
}

function Run({ run }: { run: DuesRun }) {
  const { status, chapters_done, chapters_total, invoices_issued, invoices_planned, completed_at } = run;
  const share = chapters_total === 0 ? 100 : (100 * chapters_done) / chapters_total;
  return (
    <>
      <ChaptersNotDone run={run} />
      <Container header={<Header variant="h2">Progress</Header>}>
        <ProgressBar
          value={share}
          label="Chapters billed"
          additionalInfo={`${chapters_done} of ${chapters_total}`}
          description={`${invoices_issued} of ${invoices_planned} invoices issued`}
        />
      </Container>
      <Container header={<Header variant="h2">State</Header>}>
        <KeyValuePairs
          columns={4}
          items={[
            { label: 'Status', value: <RunStatus status={status} /> },
            { label: 'Due', value: <Day on={run.due_date} /> },
            { label: 'Payers are notified', value: run.notify ? 'Yes' : 'No' },
            { label: 'Started', value: <Time at={run.created_at} /> },
            { label: 'Ended', value: completed_at === null ? '–' : <Time at={completed_at} /> },
            { label: 'Process', value: <LinkTo href={processHref(run.workflow_id)}>Stages and actions</LinkTo> },
            { label: 'Invoices', value: <LinkTo href={`/console/invoices?term=${run.term}`}>Of this term</LinkTo> },
          ]}
        />
      </Container>
    </>
  );
}

/** The chapters that a run which ended early did not bill. */
function ChaptersNotDone({ run: { chapters_not_done } }: { run: DuesRun }) {
  const chapters = useChapters();
  if (chapters_not_done.length === 0) return null;
  return (
    <Alert type="warning" header={`Chapters that were not billed: ${chapters_not_done.length}`}>
      {chapters_not_done.map((id) => chapters.get(id) ?? id).join(', ')}. A new run of the same term bills them.
    </Alert>
  );
}
