import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import Input from '@cloudscape-design/components/input';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { type FormEvent, useState } from 'react';
import { Announced } from '../../parts/Announced';
import { ChapterSelect, useChapter } from '../../parts/ChapterSelect';
import { Day } from '../../parts/Day';
import { Failure, fieldError } from '../../parts/Failure';
import { InCurrency } from '../../parts/InCurrency';
import { words } from '../processes/kinds';
import { ROLE_LABELS, STATUS_LABELS } from './labels';
import { type Member, type TransferPreview, useTransfer, useTransferPreview } from './queries';

/** A transfer to another chapter: first its preview, then exactly that transfer. */
export function Transfer({ member: { id } }: { member: Member }) {
  const [chapter, setChapter] = useState('');
  const [day, setDay] = useState('');
  const preview = useTransferPreview(id);
  const transfer = useTransfer(id);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    transfer.reset();
    preview.mutate({ to_chapter: chapter, ...(day && { effective_on: day }) });
  };
  const faults = {
    to_chapter: fieldError(preview.error, 'to_chapter'),
    day: fieldError(preview.error, 'effective_on'),
  };
  const isAtField = faults.to_chapter !== undefined || faults.day !== undefined;
  if (transfer.data)
    return (
      <Announced
        type="success"
        header={transfer.data.isScheduled ? 'The transfer is scheduled' : 'The transfer is made'}
      />
    );
  return (
    <Container header={<Header variant="h2">Transfer to another chapter</Header>}>
      <SpaceBetween size="m">
        <form onSubmit={submit}>
          <SpaceBetween size="m">
            <ChapterSelect
              label="New chapter"
              value={chapter}
              errorText={faults.to_chapter}
              onChange={(chosen) => {
                setChapter(chosen);
                preview.reset();
              }}
            />
            <FormField
              label="First day there (optional)"
              description="For example 2026-09-01. Empty: today."
              errorText={faults.day}
            >
              <Input
                value={day}
                onChange={({ detail }) => {
                  setDay(detail.value.trim());
                  preview.reset();
                }}
              />
            </FormField>
            {preview.error && !isAtField && <Failure error={preview.error} />}
            <Button formAction="submit" disabled={chapter === ''} loading={preview.isPending}>
              Preview
            </Button>
          </SpaceBetween>
        </form>
        {preview.data && <Preview preview={preview.data} />}
        {transfer.error && <Failure error={transfer.error} />}
        {preview.data && (
          <Button variant="primary" loading={transfer.isPending} onClick={() => transfer.mutate(preview.data)}>
            Transfer
          </Button>
        )}
      </SpaceBetween>
    </Container>
  );
}

/** What the transfer changes. */
function Preview({ preview }: { preview: TransferPreview }) {
  const { from_chapter, to_chapter, effective_on, status, role, reopens, account } = preview;
  const [from, to] = [useChapter(from_chapter), useChapter(to_chapter)];
  const ends = [
    ...preview.terms.map(({ position, title }) => `Office: ${title ?? words(position)}`),
    ...preview.planned_terms.map(({ position, starts_on }) => `Planned office: ${words(position)} from ${starts_on}`),
    ...preview.requests.map(({ kind }) => `Request: ${words(kind).toLowerCase()}`),
    ...preview.scheduled_changes.map(({ effective_on: day }) => `Scheduled change of ${day}`),
    ...(account.open_plan_requests > 0 ? [`Payment plan requests: ${account.open_plan_requests}`] : []),
  ];
  return (
    <SpaceBetween size="m">
      <KeyValuePairs
        columns={3}
        items={[
          { label: 'From', value: from.data?.name ?? '–' },
          { label: 'To', value: to.data?.name ?? '–' },
          { label: 'First day there', value: <Day on={effective_on} /> },
          { label: 'Status there', value: STATUS_LABELS[status] },
          { label: 'Role there', value: ROLE_LABELS[role] },
          { label: 'Membership there', value: reopens ? 'The earlier one is opened again' : 'A new one' },
          { label: 'Open invoices, which stay', value: account.open_invoices },
          { label: 'Due at the old chapter', value: <InCurrency cents={account.due_cents} /> },
          { label: 'Credit that moves', value: <InCurrency cents={account.moving_credit_cents} /> },
        ]}
      />
      {ends.length > 0 && (
        <Alert type="warning" header="The transfer ends">
          <ul>
            {ends.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </Alert>
      )}
      <Box color="text-body-secondary">Nothing has changed yet.</Box>
    </SpaceBetween>
  );
}
