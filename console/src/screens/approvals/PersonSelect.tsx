import Box from '@cloudscape-design/components/box';
import FormField from '@cloudscape-design/components/form-field';
import Select, { type SelectProps } from '@cloudscape-design/components/select';
import { useState } from 'react';
import { client } from '../../api/client';
import { useList } from '../../api/useList';
import { describeFailure } from '../../parts/Failure';
import { useOrganizationId } from '../../parts/useOrganizationId';

interface PersonSelectProps {
  label: string;
  /** Id of the chosen person's user; empty if none is chosen. */
  value: string;
  errorText: string | undefined;
  onChange: (userId: string) => void;
}

/** A choice of a person on the roster. The API searches while the person types. */
export function PersonSelect({ label, value, errorText, onChange }: PersonSelectProps) {
  const organization_id = useOrganizationId();
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState<SelectProps.Option | null>(null);
  const params = { path: { organization_id }, query: { q: search } };
  const { data, error } = useList(
    ['member-search', organization_id, search],
    () => client.GET('/api/organizations/{organization_id}/member-search/', { params }),
    { enabled: search.length > 1 },
  );
  return (
    <FormField label={label} errorText={errorText ?? (error ? describeFailure(error).text : undefined)}>
      <Select
        selectedOption={value === '' ? null : chosen}
        placeholder="Choose a member"
        filteringType="manual"
        filteringPlaceholder="Name or address"
        filteringAriaLabel="Search members"
        options={(data ?? []).map((found) => ({
          value: found.user,
          label: `${found.first_name} ${found.last_name}`,
          description: [found.chapter_name, found.email].filter(Boolean).join(', '),
        }))}
        empty={<Box>Type at least two letters of a name.</Box>}
        onLoadItems={({ detail }) => setSearch(detail.filteringText)}
        onChange={({ detail }) => {
          setChosen(detail.selectedOption);
          onChange(detail.selectedOption.value ?? '');
        }}
      />
    </FormField>
  );
}
