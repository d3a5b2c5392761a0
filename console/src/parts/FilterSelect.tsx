import FormField from '@cloudscape-design/components/form-field';
import Select from '@cloudscape-design/components/select';
import { useFilters } from './useFilters';

interface FilterSelectProps {
  label: string;
  /** Name of the filter in the address. */
  name: string;
  /** Values with their labels. */
  options: Readonly<Record<string, string>>;
  /** Label of the choice that shows all rows. */
  all: string;
}

const ALL = '';

/** A filter of a list, with one choice. */
export function FilterSelect({ label, name, options, all }: FilterSelectProps) {
  const [filters, change] = useFilters();
  const choices = [
    { value: ALL, label: all },
    ...Object.entries(options).map(([value, text]) => ({ value, label: text })),
  ];
  return (
    <FormField label={label} stretch>
      <Select
        options={choices}
        selectedOption={choices.find(({ value }) => value === (filters[name] ?? ALL)) ?? null}
        filteringType={choices.length > 12 ? 'auto' : 'none'}
        onChange={({ detail }) => change({ [name]: detail.selectedOption.value })}
      />
    </FormField>
  );
}
