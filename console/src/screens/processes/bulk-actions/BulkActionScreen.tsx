import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import { useParams } from '@tanstack/react-router';
import { LinkTo } from '../../../parts/LinkTo';
import { Loaded } from '../../../parts/Loaded';
import { Page } from '../../../parts/Page';
import { Time } from '../../../parts/Time';
import { processHref } from '../processHref';
import { BulkActionStatus } from './BulkActionStatus';
import { type BulkAction, useBulkAction } from './queries';
import { Stop } from './Stop';
import { Targets } from './Targets';
import { Totals } from './Totals';
import { titleOf } from './words';

/** One bulk action: what was observed so far, in total and of each process. */
export function BulkActionScreen() {
  const { id = '' }: { id?: string } = useParams({ strict: false });
  const query = useBulkAction(id);
  const { data } = query;
  return (
    <Page title={data ? titleOf(data) : 'Bulk action'} description={data?.reason}>
      <Loaded query={query}>
        {(bulkAction) => (
          <>
            {bulkAction.ended_at === null && <Stop bulkAction={bulkAction} />}
            <State bulkAction={bulkAction} />
            <Totals bulkAction={bulkAction} />
            <Targets bulkAction={bulkAction} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function State({ bulkAction: { id, status, workflow_id, created_at, ended_at } }: { bulkAction: BulkAction }) {
  return (
    <Container header={<Header variant="h2">State</Header>}>
      <KeyValuePairs
        columns={3}
        items={[
          { label: 'Status', value: <BulkActionStatus status={status} /> },
          { label: 'Started', value: <Time at={created_at} /> },
          { label: 'Ended', value: ended_at === null ? '–' : <Time at={ended_at} /> },
          { label: 'Process', value: <LinkTo href={processHref(workflow_id)}>Stages and actions</LinkTo> },
          {
            label: 'Audit log',
            value: (
              <LinkTo href={`/console/audit-log?subject_type=process_bulk_action&subject_id=${id}`}>
                Who started it
              </LinkTo>
            ),
          },
        ]}
      />
    </Container>
  );
}
