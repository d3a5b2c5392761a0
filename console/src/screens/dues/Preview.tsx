import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { formatCents } from '../../parts/Cents';
import { Day } from '../../parts/Day';
import { PreviewTable } from '../../parts/PreviewTable';
import { STATUS_LABELS } from '../members/labels';
import type { DuesRunPreview } from './queries';

const MODES = { bill_chapter: 'The chapter', bill_member: 'Its members' } as const;

interface PreviewProps {
  preview: DuesRunPreview;
  isStarting: boolean;
  onStart: () => void;
}

/** What a run would issue: in total, by chapter and by member. */
export function Preview({ preview, isStarting, onStart }: PreviewProps) {
  const { totals, due_date, chapters, not_billed, member_lines, has_more_member_lines } = preview;
  const format = (cents: number): string => formatCents(cents, preview.currency);
  return (
    <>
      <Container header={<Header variant="h2">Preview</Header>}>
        <SpaceBetween size="m">
          <KeyValuePairs
            columns={4}
            items={[
              { label: 'Amount', value: format(totals.amount_cents) },
              { label: 'Invoices', value: totals.invoices.toLocaleString() },
              { label: 'Chapters', value: totals.chapters.toLocaleString() },
              { label: 'Members billed', value: totals.members.toLocaleString() },
              { label: 'Members billed already', value: totals.already_invoiced.toLocaleString() },
              { label: 'Mails', value: totals.mails.toLocaleString() },
              { label: 'Due', value: <Day on={due_date} /> },
            ]}
          />
          {totals.invoices === 0 ? (
            <Alert type="info">There is nothing to issue.</Alert>
          ) : (
            <Button variant="primary" loading={isStarting} onClick={onStart}>
              {`Issue ${totals.invoices === 1 ? '1 invoice' : `${totals.invoices} invoices`}, ${format(totals.amount_cents)} in total`}
            </Button>
          )}
        </SpaceBetween>
      </Container>
      {not_billed.length > 0 && (
        <Alert type="warning" header="Chapters that are not active are not billed. Their members:">
          {not_billed.map(({ chapter_name, members }) => `${chapter_name} (${members})`).join(', ')}
        </Alert>
      )}
      <PreviewTable
        title="Chapters"
        items={chapters}
        empty="No chapter is billed."
        columns={[
          { id: 'chapter', header: 'Chapter', cell: ({ chapter_name }) => chapter_name, isRowHeader: true },
          { id: 'mode', header: 'Who pays', cell: ({ billing_mode }) => MODES[billing_mode] },
          { id: 'invoices', header: 'Invoices', cell: ({ invoices }) => invoices },
          { id: 'members', header: 'Members', cell: ({ members }) => members },
          { id: 'already', header: 'Billed already', cell: ({ already_invoiced }) => already_invoiced },
          { id: 'amount', header: 'Amount', cell: ({ amount_cents }) => format(amount_cents) },
        ]}
      />
      <PreviewTable
        title="Members with their own invoice"
        description={has_more_member_lines ? 'The first of them. The totals have all.' : undefined}
        items={member_lines}
        empty="No member is billed with an own invoice."
        columns={[
          { id: 'name', header: 'Member', cell: ({ name }) => name, isRowHeader: true },
          { id: 'status', header: 'Status', cell: ({ status }) => STATUS_LABELS[status] },
          { id: 'amount', header: 'Amount', cell: ({ amount_cents }) => format(amount_cents) },
        ]}
      />
    </>
  );
}
