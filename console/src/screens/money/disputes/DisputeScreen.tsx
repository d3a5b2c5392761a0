import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import { useParams } from '@tanstack/react-router';
import { LinkTo } from '../../../parts/LinkTo';
import { Loaded } from '../../../parts/Loaded';
import { Page } from '../../../parts/Page';
import { DisputeFacts } from './DisputeFacts';
import { Movements } from './Movements';
import { useDispute } from './queries';

const ADVICE = 'Submit evidence at the provider until the day on which it is due. The bank then decides.';

/** One dispute, with the money that it has moved. */
export function DisputeScreen() {
  const { id = '' }: { id?: string } = useParams({ strict: false });
  const query = useDispute(id);
  const dispute = query.data;
  return (
    <Page
      title={dispute ? `Dispute ${dispute.gateway_dispute_id}` : 'Dispute'}
      description={dispute?.status === 'open' && ADVICE}
    >
      <Loaded query={query}>
        {(loaded) => (
          <>
            {loaded.money_case && (
              <LinkTo href={`/console/money-cases/${loaded.money_case}`}>Allocate what no invoice accounts for</LinkTo>
            )}
            <Container header={<Header variant="h2">State</Header>}>
              <DisputeFacts dispute={loaded} />
            </Container>
            <Movements dispute={loaded} />
          </>
        )}
      </Loaded>
    </Page>
  );
}
