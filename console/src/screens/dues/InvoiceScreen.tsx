import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import { useParams } from '@tanstack/react-router';
import { Loaded } from '../../parts/Loaded';
import { Page } from '../../parts/Page';
import { InvoiceActions } from './actions/InvoiceActions';
import { useRefunds } from './actions/queries';
import { ExplanationTable } from './ExplanationTable';
import { InvoiceFacts } from './InvoiceFacts';
import { InvoiceLines } from './InvoiceLines';
import { useExplanation, useInvoice } from './queries';
import { Refunds } from './Refunds';

/** One invoice: what it is for, what can be done with it, and why its balance is what it is. */
export function InvoiceScreen() {
  const { id = '' }: { id?: string } = useParams({ strict: false });
  const refunds = useRefunds(id);
  const query = useInvoice(id);
  const explanation = useExplanation(id);
  const { data } = query;
  return (
    <Page title={data ? `Invoice of ${data.payer_name}` : 'Invoice'} description={data?.description}>
      <Loaded query={query}>
        {(invoice) => (
          <>
            <Container header={<Header variant="h2">State</Header>}>
              <InvoiceFacts invoice={invoice} />
            </Container>
            <InvoiceActions key={id} invoice={invoice} />
            {refunds.data?.length !== 0 && (
              <Loaded query={refunds}>{(rows) => <Refunds refunds={rows} currency={invoice.currency} />}</Loaded>
            )}
            <InvoiceLines invoice={invoice} />
            <Loaded query={explanation}>{(loaded) => <ExplanationTable explanation={loaded} />}</Loaded>
          </>
        )}
      </Loaded>
    </Page>
  );
}
