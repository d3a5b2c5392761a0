import DatePicker from '@cloudscape-design/components/date-picker';
import FormField from '@cloudscape-design/components/form-field';
import { useState } from 'react';
import { useFilters } from './useFilters';

interface DayFilterProps {
  label: string;
  /** Name of the filter in the address. */
  name: string;
  errorText?: string | undefined;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** A filter with a day. It applies once the day is complete. */
export function DayFilter({ label, name, errorText }: DayFilterProps) {
  const [filters, change] = useFilters();
  const [incomplete, setIncomplete] = useState<string | null>(null);
  const enter = (value: string): void => {
    const isDay = value === '' || DAY.test(value);
    setIncomplete(isDay ? null : value);
    if (isDay) change({ [name]: value });
  };
  return (
    <FormField label={label} stretch errorText={errorText}>
      <DatePicker
        format="iso"
        value={incomplete ?? filters[name] ?? ''}
        onChange={({ detail }) => enter(detail.value)}
      />
    </FormField>
  );
}
