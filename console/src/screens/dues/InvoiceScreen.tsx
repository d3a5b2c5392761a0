import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import { useParams } from '@tanstack/react-router';
import { Loaded } from '../../parts/Loaded';
import { Page } from '../../parts/Page';
import { ExplanationTable } from './ExplanationTable';
import { InvoiceFacts } from './InvoiceFacts';
import { InvoiceLines } from './InvoiceLines';
import { useExplanation, useInvoice } from './queries';

/** One invoice: what it is for, and why its balance is what it is. */
export function InvoiceScreen() {
  const { id = '' }: { id?: string } = useParams({ strict: false });
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
            <InvoiceLines invoice={invoice} />
            <Loaded query={explanation}>{(loaded) => <ExplanationTable explanation={loaded} />}</Loaded>
          </>
        )}
      </Loaded>
    </Page>
  );
}
