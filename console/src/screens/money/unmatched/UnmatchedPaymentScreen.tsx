import Alert from '@cloudscape-design/components/alert';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { Announced } from '../../../parts/Announced';
import { Loaded } from '../../../parts/Loaded';
import { Page } from '../../../parts/Page';
import { DecideUnmatched } from './DecideUnmatched';
import { type Unmatched, useUnmatchedPayment } from './queries';
import { UnmatchedFacts } from './UnmatchedFacts';

/** One unmatched payment, and the decision: refund it, or keep it as a payer's credit. */
export function UnmatchedPaymentScreen() {
  const { id = '' }: { id?: string } = useParams({ strict: false });
  const query = useUnmatchedPayment(id);
  const [outcome, setOutcome] = useState('');
  return (
    <Page title={query.data ? `Payment ${query.data.processor_payment_id}` : 'Unmatched payment'}>
      <Loaded query={query}>
        {(payment) =>
          payment ? (
            <>
              {outcome && <Announced type="success" header={outcome} />}
              {payment.state === 'open' && (
                <DecideUnmatched payment={payment} onDone={({ state }) => setOutcome(OUTCOMES[state])} />
              )}
              <Container header={<Header variant="h2">State</Header>}>
                <UnmatchedFacts payment={payment} />
              </Container>
            </>
          ) : (
            <Alert type="warning">There is no such payment.</Alert>
          )
        }
      </Loaded>
    </Page>
  );
}

const OUTCOMES: Readonly<Record<Unmatched['state'], string>> = {
  open: 'The decision is recorded.',
  refunding: 'The refund is requested. Only the provider ends it.',
  refunded: 'The payment is refunded.',
  kept_as_credit: 'The payment is kept as credit.',
};
