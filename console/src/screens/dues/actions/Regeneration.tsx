import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Table from '@cloudscape-design/components/table';
import { useState } from 'react';
import { isRefusedAs } from '../../../api/send';
import { Announced } from '../../../parts/Announced';
import { formatCents } from '../../../parts/Cents';
import { Day } from '../../../parts/Day';
import { Failure } from '../../../parts/Failure';
import { Loaded } from '../../../parts/Loaded';
import { PreviewTable } from '../../../parts/PreviewTable';
import { AMOUNTS } from '../InvoiceFacts';
import type { Invoice } from '../queries';
import { type RegenerationPreview, useRegeneration, useRegenerationPreview } from './queries';
import type { ActionDialogProps } from './VoidDialog';

/** What would be issued instead of the invoice, and the button that issues exactly this. */
export function Regeneration({ invoice, onDone, onClose }: ActionDialogProps) {
  const query = useRegenerationPreview(invoice.id);
  const { mutate, isPending, error } = useRegeneration(invoice.id);
  const [refused, setRefused] = useState<RegenerationPreview | null>(null);
  const isStale = isRefusedAs(error, 'preview_stale');
  const issue = (preview: RegenerationPreview): void =>
    mutate(preview, {
      onSuccess: (replacement) =>
        onDone({
          type: 'success',
          text: 'The dues are issued again, and this invoice is void.',
          ...('id' in replacement && {
            link: { href: `/console/invoices/${replacement.id}`, text: 'The invoice that replaces it' },
          }),
        }),
      onError: (failure) => isRefusedAs(failure, 'preview_stale') && setRefused(preview),
    });
  return (
    <Loaded query={query}>
      {(preview) => (
        <>
          {isStale && (
            <Announced type="warning" header="The data has changed: this is a new preview">
              Nothing was done. Compare it with the earlier one, then decide again.
            </Announced>
          )}
          {Boolean(error) && !isStale && <Failure error={error} />}
          <Container
            header={
              <Header variant="h2" description="The preview changes nothing.">
                Issue the dues again
              </Header>
            }
          >
            <SpaceBetween size="m">
              <Comparison invoice={invoice} preview={preview} refused={refused} />
              <Box>
                Due on <Day on={preview.replacement.due_date} />.{' '}
                {preview.credit_issued_cents > 0 &&
                  `${formatCents(preview.credit_issued_cents, invoice.currency)} becomes credit of the payer.`}
              </Box>
              <SpaceBetween direction="horizontal" size="xs">
                <Button variant="primary" loading={isPending || query.isFetching} onClick={() => issue(preview)}>
                  Issue exactly this
                </Button>
                <Button variant="link" onClick={onClose}>
                  Close
                </Button>
              </SpaceBetween>
            </SpaceBetween>
          </Container>
          <PreviewTable
            title="Lines"
            items={preview.replacement.lines}
            empty="The invoice has no lines."
            columns={[
              { id: 'description', header: 'Description', cell: ({ description }) => description, isRowHeader: true },
              { id: 'quantity', header: 'Quantity', cell: ({ quantity }) => quantity },
              {
                id: 'amount',
                header: 'Amount',
                cell: ({ amount_cents }) => formatCents(amount_cents ?? 0, invoice.currency),
              },
            ]}
          />
        </>
      )}
    </Loaded>
  );
}

interface ComparisonProps {
  invoice: Invoice;
  preview: RegenerationPreview;
  /** The preview that was refused as stale. */
  refused: RegenerationPreview | null;
}

type Amount = (typeof AMOUNTS)[number];

/** The amounts of the invoice and of what would replace it. */
function Comparison({ invoice, preview, refused }: ComparisonProps) {
  const column = (id: string, header: string, amounts: Pick<Invoice, Amount[0]>) => ({
    id,
    header,
    cell: ([name]: Amount) => formatCents(amounts[name] ?? 0, invoice.currency),
  });
  return (
    <Table
      variant="embedded"
      items={AMOUNTS}
      trackBy={([name]) => name}
      columnDefinitions={[
        { id: 'amount', header: 'Amount', cell: ([, label]) => label, isRowHeader: true },
        column('now', 'Now', invoice),
        ...(refused ? [column('earlier', 'Earlier preview', refused.replacement)] : []),
        column('then', refused ? 'New preview' : 'Issued again', preview.replacement),
      ]}
      ariaLabels={{ tableLabel: 'Amounts now and issued again' }}
    />
  );
}
