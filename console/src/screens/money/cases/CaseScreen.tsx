import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { Announced } from '../../../parts/Announced';
import { LinkTo } from '../../../parts/LinkTo';
import { Loaded } from '../../../parts/Loaded';
import { Page } from '../../../parts/Page';
import { useCurrency } from '../../../parts/useCurrency';
import { AllocateCase } from './AllocateCase';
import { CaseFacts } from './CaseFacts';
import { CloseCase } from './CloseCase';
import { ADVICE, KINDS } from './kinds';
import { type Case, useCase } from './queries';

/** One money case: what happened, what to do about it, and the decision. */
export function CaseScreen() {
  const { id = '' }: { id?: string } = useParams({ strict: false });
  const query = useCase(id);
  const [outcome, setOutcome] = useState('');
  const isOpen = query.data?.status === 'open';
  return (
    <Page
      title={query.data ? KINDS[query.data.kind] : 'Money case'}
      description={query.data && isOpen && ADVICE[query.data.kind]}
    >
      <Loaded query={query}>
        {(found) => (
          <>
            {outcome && <Announced type="success" header={outcome} />}
            {isOpen && <Decision found={found} onDone={setOutcome} />}
            <Container header={<Header variant="h2">What happened</Header>}>
              <CaseFacts found={found} />
            </Container>
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Decision({ found, onDone }: { found: Case; onDone: (outcome: string) => void }) {
  const currency = useCurrency();
  if (found.kind === 'remittance_flagged' && found.remittance)
    return <LinkTo href={`/console/remittances/${found.remittance}`}>Resolve the remittance</LinkTo>;
  if (found.shares.length === 0) return <CloseCase id={found.id} onDone={onDone} />;
  return currency && <AllocateCase currency={currency} found={found} onDone={onDone} />;
}
