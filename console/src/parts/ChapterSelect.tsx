import Box from '@cloudscape-design/components/box';
import FormField from '@cloudscape-design/components/form-field';
import Select from '@cloudscape-design/components/select';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../api/client';
import { send } from '../api/send';
import { useList } from '../api/useList';
import { describeFailure } from './Failure';
import { useOrganizationId } from './useOrganizationId';

interface ChapterSelectProps {
  label: string;
  /** Id of the chosen chapter; empty if none is. */
  value: string;
  onChange: (id: string) => void;
  /** Label of the choice of no chapter, if that is possible. */
  none?: string;
  errorText?: string | undefined;
}

const MAX_CHOICES = 50;

/** A choice of a chapter. The API searches the chapters while the person types. */
export function ChapterSelect({ label, value, onChange, none, errorText }: ChapterSelectProps) {
  const [search, setSearch] = useState('');
  const organization_id = useOrganizationId();
  const query = { page_size: MAX_CHOICES, ordering: 'name' as const, ...(search && { search }) };
  const { data, error } = useList(
    ['chapters', organization_id, search],
    () =>
      client.GET('/api/organizations/{organization_id}/chapters/', { params: { path: { organization_id }, query } }),
    { enabled: organization_id !== '' },
  );
  const chosen = useChapter(value);
  const options = [
    ...(none === undefined ? [] : [{ value: '', label: none }]),
    ...(data?.results ?? []).map(({ id, name, university }) => ({
      value: id,
      label: name,
      ...(university && { description: university }),
    })),
  ];
  const selected =
    options.find((option) => option.value === value) ?? (chosen.data && { value, label: chosen.data.name });
  return (
    <FormField label={label} errorText={errorText ?? (error ? describeFailure(error).text : undefined)} stretch>
      <Select
        selectedOption={selected ?? null}
        placeholder="Choose a chapter"
        filteringType="manual"
        filteringPlaceholder="Name, university or city"
        filteringAriaLabel="Search chapters"
        options={options}
        statusType={data ? 'finished' : 'loading'}
        loadingText="Loading"
        empty={<Box>No chapter has such a name.</Box>}
        onLoadItems={({ detail }) => setSearch(detail.filteringText)}
        onChange={({ detail }) => onChange(detail.selectedOption.value ?? '')}
      />
    </FormField>
  );
}

/** Reads a chapter. @param id empty: none is read */
export const useChapter = (id: string) =>
  useQuery({
    queryKey: ['chapter', id],
    queryFn: () => send(() => client.GET('/api/chapters/{id}/', { params: { path: { id } } })),
    enabled: id !== '',
  });
