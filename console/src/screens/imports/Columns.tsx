import Button from '@cloudscape-design/components/button';
import ColumnLayout from '@cloudscape-design/components/column-layout';
import Container from '@cloudscape-design/components/container';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import Select from '@cloudscape-design/components/select';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { type FormEvent, useState } from 'react';
import { ChapterSelect } from '../../parts/ChapterSelect';
import { Failure, fieldError } from '../../parts/Failure';
import { words } from '../processes/kinds';
import { type Import, useMapping, usePreview } from './queries';

/** The fields in the order of the form; those that each table needs come first. */
const FIELDS = [
  'email',
  'first_name',
  'last_name',
  'chapter',
  'status',
  'role',
  'joined_date',
  'graduation_year',
  'graduation_season',
  'pledge_class',
  'line_number',
  'crossing_semester',
  'crossing_date',
  'phone_number',
  'preferred_name',
  'date_of_birth',
  'permanent_address_line1',
  'permanent_address_line2',
  'city',
  'state',
  'postal_code',
  'country',
];

const DAY_ORDERS = {
  ymd: 'Year first: 2026-09-30',
  mdy: 'Month first: 9/30/2026',
  dmy: 'Day first: 30.9.2026',
} as const;

const NONE = '';

/** Which column is which field. The API has guessed them; saving makes the preview. */
export function Columns({ shown }: { shown: Import }) {
  const [mapping, setMapping] = useState(shown.mapping);
  const [chapter, setChapter] = useState(shown.chapter ?? '');
  const [dayOrder, setDayOrder] = useState(shown.day_order);
  const save = useMapping(shown.id);
  const preview = usePreview(shown.id);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    preview.reset();
    save.mutate({ mapping, chapter: chapter || null, day_order: dayOrder }, { onSuccess: () => preview.mutate() });
  };
  const choose = (field: string, column: string | undefined): void => {
    const { [field]: _before, ...others } = mapping;
    setMapping(column ? { ...others, [field]: Number(column) } : others);
  };
  const columns = shown.columns.map((title, at) => ({ value: String(at), label: title || `Column ${at + 1}` }));
  const orders = Object.entries(DAY_ORDERS).map(([value, label]) => ({ value, label }));
  const error = save.error ?? preview.error;
  return (
    <Container header={<Header variant="h2">Columns</Header>}>
      <form onSubmit={submit}>
        <SpaceBetween size="m">
          <ColumnLayout columns={3}>
            {FIELDS.map((field) => (
              <FormField key={field} label={words(field)} errorText={fieldError(error, `mapping.${field}`)} stretch>
                <Select
                  options={[{ value: NONE, label: 'No column' }, ...columns]}
                  selectedOption={
                    columns.find(({ value }) => value === String(mapping[field])) ?? { value: NONE, label: 'No column' }
                  }
                  onChange={({ detail }) => choose(field, detail.selectedOption.value)}
                />
              </FormField>
            ))}
            <ChapterSelect
              label="Chapter of lines that name none"
              none="None"
              value={chapter}
              errorText={fieldError(error, 'chapter')}
              onChange={setChapter}
            />
            <FormField label="Days in the table" errorText={fieldError(error, 'day_order')} stretch>
              <Select
                options={orders}
                selectedOption={{ value: dayOrder, label: DAY_ORDERS[dayOrder] }}
                onChange={({ detail }) => setDayOrder(detail.selectedOption.value as typeof dayOrder)}
              />
            </FormField>
          </ColumnLayout>
          {error && <Failure error={error} />}
          <Button
            variant={shown.stage === 'mapping' ? 'primary' : 'normal'}
            formAction="submit"
            loading={save.isPending || preview.isPending}
          >
            Save and preview
          </Button>
        </SpaceBetween>
      </form>
    </Container>
  );
}
