import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import { useState } from 'react';
import { useFilters } from '../../parts/useFilters';

interface SearchFilterProps {
  label: string;
  /** Name of the filter in the address. */
  name: string;
  placeholder?: string;
}

/** A filter of a list with a text. It applies with Enter, and when the field is left. */
export function SearchFilter({ label, name, placeholder }: SearchFilterProps) {
  const [filters, change] = useFilters();
  const applied = filters[name] ?? '';
  const [text, setText] = useState(applied);
  const apply = (value: string): void => {
    if (value.trim() !== applied) change({ [name]: value.trim() });
  };
  return (
    <FormField label={label} stretch>
      <Input
        type="search"
        value={text}
        placeholder={placeholder ?? ''}
        clearAriaLabel="Clear"
        onChange={({ detail }) => {
          setText(detail.value);
          if (detail.value === '') apply('');
        }}
        onKeyDown={({ detail }) => {
          if (detail.key === 'Enter') apply(text);
        }}
        onBlur={() => apply(text)}
      />
    </FormField>
  );
}
