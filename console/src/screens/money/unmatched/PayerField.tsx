import ColumnLayout from '@cloudscape-design/components/column-layout';
import FormField from '@cloudscape-design/components/form-field';
import Select from '@cloudscape-design/components/select';
import { useState } from 'react';
import { useChapters } from '../../../parts/useChapters';
import { type Resolution, useMemberSearch } from './queries';

type Payer = NonNullable<Resolution['payer']>;

interface PayerFieldProps {
  onChange: (payer: Payer) => void;
}

/** Chooses who gets the credit: a chapter, or one of the members whom a search finds. */
export function PayerField({ onChange }: PayerFieldProps) {
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState<{ value: string; label: string } | null>(null);
  const chapters = useChapters();
  const search = useMemberSearch(text.trim());
  const options = [
    {
      label: 'Members',
      options: (search.data ?? []).map((found) => ({
        value: `${found.chapter} ${found.id}`,
        label: `${found.first_name} ${found.last_name}`,
        description: [found.chapter_name, found.email].filter(Boolean).join(' · '),
      })),
    },
    {
      label: 'Chapters',
      options: [...chapters]
        .filter(([, name]) => name.toLowerCase().includes(text.trim().toLowerCase()))
        .map(([id, name]) => ({ value: id, label: `Chapter ${name}` })),
    },
  ].filter(({ options: found }) => found.length > 0);
  return (
    <ColumnLayout columns={2}>
      <FormField label="Who gets the credit" description="Search a member by name, or choose a chapter.">
        <Select
          placeholder="Choose a payer"
          options={options}
          selectedOption={chosen}
          filteringType="manual"
          filteringAriaLabel="Name"
          filteringPlaceholder="Name"
          statusType={statusOf(search)}
          loadingText="Searching"
          errorText="The search failed."
          empty="Nobody is found."
          onLoadItems={({ detail }) => setText(detail.filteringText)}
          onChange={({ detail: { selectedOption } }) => {
            const { value = '', label = '' } = selectedOption;
            const [chapter = '', membership] = value.split(' ');
            setChosen({ value, label });
            onChange({ chapter, ...(membership ? { membership } : {}) });
          }}
        />
      </FormField>
    </ColumnLayout>
  );
}

function statusOf({ isFetching, isError }: { isFetching: boolean; isError: boolean }) {
  if (isFetching) return 'loading';
  return isError ? 'error' : 'finished';
}
