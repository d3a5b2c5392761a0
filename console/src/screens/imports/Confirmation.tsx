import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import RadioGroup from '@cloudscape-design/components/radio-group';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { type FormEvent, useState } from 'react';
import { Failure } from '../../parts/Failure';
import { ON_EXISTING } from './labels';
import { type Import, type OnExisting, usePreview, useProcess } from './queries';

const CHOICES = Object.keys(ON_EXISTING) as OnExisting[];

/** Confirms exactly the shown preview. After a correction, all lines are previewed again first. */
export function Confirmation({ shown: { id, preview_hash, rows_create, rows_update, rows_error } }: { shown: Import }) {
  const [onExisting, setOnExisting] = useState<OnExisting>('skip');
  const preview = usePreview(id);
  const process = useProcess(id);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (preview_hash === null) preview.mutate();
    else process.mutate({ preview_hash, on_existing: onExisting });
  };
  return (
    <Container header={<Header variant="h2">{preview_hash === null ? 'Preview again' : 'Import'}</Header>}>
      <form onSubmit={submit}>
        <SpaceBetween size="m">
          {preview_hash === null ? (
            <Box>A line or a column has changed. Other lines may mean something else now.</Box>
          ) : (
            <>
              <Box>
                Lines that add a member: {rows_create}. Lines that change one: {rows_update}. Lines with errors, which
                are left out: {rows_error}.
              </Box>
              <FormField label="Members who are on the roster already">
                <RadioGroup
                  value={onExisting}
                  items={CHOICES.map((value) => ({ value, label: ON_EXISTING[value] }))}
                  onChange={({ detail }) =>
                    setOnExisting(CHOICES.find((value) => value === detail.value) ?? onExisting)
                  }
                />
              </FormField>
            </>
          )}
          {(process.error ?? preview.error) && <Failure error={process.error ?? preview.error} />}
          <Button variant="primary" formAction="submit" loading={preview.isPending || process.isPending}>
            {preview_hash === null ? 'Preview again' : 'Import the members'}
          </Button>
          {preview_hash !== null && (
            <Box color="text-body-secondary">Nobody gets a mail. You send the invitations afterwards.</Box>
          )}
        </SpaceBetween>
      </form>
    </Container>
  );
}
