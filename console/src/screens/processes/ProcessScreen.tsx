import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { Loaded } from '../../parts/Loaded';
import { Page } from '../../parts/Page';
import { Actions } from './Actions';
import { Facts } from './Facts';
import { Outcome } from './Outcome';
import { type CancelResult, type RetryResult, useProcess } from './queries';
import { Stages } from './Stages';

/** The story of one process: where it is, what it waits for, whether money moved, and what can be done. */
export function ProcessScreen() {
  const { id = '' }: { id?: string } = useParams({ strict: false });
  const query = useProcess(id);
  const [result, setResult] = useState<RetryResult | CancelResult | null>(null);
  const process = query.data;
  return (
    <Page title={process?.label ?? 'Process'} description={process?.summary}>
      <Loaded query={query}>
        {(loaded) => (
          <>
            <Actions process={loaded} onDone={setResult} />
            {result && <Outcome result={result} />}
            <Container header={<Header variant="h2">State</Header>}>
              <Facts process={loaded} />
            </Container>
            <Container header={<Header variant="h2">Stages</Header>}>
              <Stages process={loaded} />
            </Container>
          </>
        )}
      </Loaded>
    </Page>
  );
}
