import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { Announced } from '../../parts/Announced';
import { Loaded } from '../../parts/Loaded';
import { Page } from '../../parts/Page';
import { useChapters } from '../../parts/useChapters';
import { Allocations } from './Allocations';
import { Attempts } from './Attempts';
import { Facts } from './Facts';
import { useRemittance } from './queries';
import { FLAG_REASONS } from './RemittanceStatus';
import { Repair } from './repair/Repair';
import { titleOf } from './title';

/** One remittance: its state, and for a flagged one the proposal where its money goes. */
export function RemittanceScreen() {
  const { id = '' }: { id?: string } = useParams({ strict: false });
  const query = useRemittance(id);
  const chapters = useChapters();
  const [outcome, setOutcome] = useState('');
  const remittance = query.data;
  const isFlagged = remittance?.status === 'needs_reconciliation';
  const reason = isFlagged && remittance.reconciliation_reason;
  return (
    <Page
      title={remittance ? titleOf(remittance, chapters) : 'Remittance'}
      description={reason && FLAG_REASONS[reason]}
    >
      <Loaded query={query}>
        {(loaded) => (
          <>
            {outcome && <Announced type="success" header={outcome} />}
            {isFlagged && <Repair remittance={loaded} onDone={setOutcome} />}
            <Container header={<Header variant="h2">State</Header>}>
              <Facts remittance={loaded} />
            </Container>
            <Allocations remittance={loaded} />
            <Attempts remittance={loaded} />
          </>
        )}
      </Loaded>
    </Page>
  );
}
