import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import { useState } from 'react';
import { useFilters } from './useFilters';

/** A filter of a list with a typed value. It applies with Enter, or when the field loses the focus. */
export function TextFilter({ label, name }: { label: string; name: string }) {
  const [filters, change] = useFilters();
  const [typed, setTyped] = useState<string | null>(null);
  const applied = filters[name] ?? '';
  const apply = (): void => {
    if (typed !== null && typed.trim() !== applied) change({ [name]: typed.trim() });
    setTyped(null);
  };
  return (
    <FormField label={label} stretch>
      <Input
        value={typed ?? applied}
        onChange={({ detail }) => setTyped(detail.value)}
        onBlur={apply}
        onKeyDown={({ detail }) => {
          if (detail.key === 'Enter') apply();
        }}
      />
    </FormField>
  );
}
