import Alert from '@cloudscape-design/components/alert';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import { useParams } from '@tanstack/react-router';
import { Loaded } from '../../parts/Loaded';
import { Page } from '../../parts/Page';
import { words } from '../processes/kinds';
import { CancelImport } from './CancelImport';
import { Columns } from './Columns';
import { Confirmation } from './Confirmation';
import { Counts } from './Counts';
import { ImportState } from './ImportState';
import { Lines } from './Lines';
import { type Import, useImport } from './queries';
import { Result } from './Result';

/** One import, from its columns to its undoing. It shows what can be done now, and the lines. */
export function ImportScreen() {
  const { id = '' } = useParams({ strict: false });
  const query = useImport(id);
  return (
    <Page title={query.data ? `Import of ${query.data.file_name}` : 'Import'}>
      <Loaded query={query}>{(shown) => <Steps shown={shown} />}</Loaded>
    </Page>
  );
}

function Steps({ shown }: { shown: Import }) {
  const { stage, step, outcome, failure, failure_reason, stopped_step, lines_erased_at } = shown;
  const waits = step === null && outcome === null;
  return (
    <>
      <ImportState shown={shown} />
      {failure !== null && (
        <Alert type="error" header="The file could not be read">
          {words(failure_reason ?? failure)}
        </Alert>
      )}
      {stopped_step !== null && (
        <Alert type="warning">
          The step stopped, because the person who had started it lost the right.
          {stopped_step !== 'process' && ' Start it again.'}
        </Alert>
      )}
      {waits && stage === 'preview' && <Confirmation shown={shown} />}
      {outcome !== null && outcome !== 'failed' && <Result shown={shown} />}
      {stage !== 'upload' && stage !== 'mapping' && (
        <>
          <Container header={<Header variant="h2">Counts</Header>}>
            <Counts shown={shown} />
          </Container>
          {lines_erased_at === null ? (
            <Lines shown={shown} />
          ) : (
            <Alert>The personal data of the lines is erased.</Alert>
          )}
        </>
      )}
      {waits && (stage === 'mapping' || stage === 'preview') && <Columns key={shown.id} shown={shown} />}
      {outcome === null && <CancelImport shown={shown} />}
    </>
  );
}
