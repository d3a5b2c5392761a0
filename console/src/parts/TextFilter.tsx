import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import { useEffect, useState } from 'react';
import { useFilters } from './useFilters';

interface TextFilterProps {
  label: string;
  /** Name of the filter in the address. */
  name: string;
  placeholder?: string;
}

/** A filter of a list with a typed value. It applies with Enter, when it is cleared, and when the field loses the focus. */
export function TextFilter({ label, name, placeholder }: TextFilterProps) {
  const [filters, change] = useFilters();
  const [typed, setTyped] = useState<string | null>(null);
  const applied = filters[name] ?? '';
  // The address has changed: by this field, or for example by back in the browser.
  useEffect(() => setTyped(null), [applied]);
  const value = typed ?? applied;
  const apply = (text: string): void => {
    if (text.trim() !== applied) change({ [name]: text.trim() });
  };
  return (
    <FormField label={label} stretch>
      <Input
        type="search"
        value={value}
        placeholder={placeholder ?? ''}
        clearAriaLabel="Clear"
        onChange={({ detail }) => {
          setTyped(detail.value);
          if (detail.value === '') apply('');
        }}
        onKeyDown={({ detail }) => {
          if (detail.key === 'Enter') apply(value);
        }}
        onBlur={() => {
          apply(value);
          setTyped(null);
        }}
      />
    </FormField>
  );
}
