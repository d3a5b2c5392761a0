import DatePicker from '@cloudscape-design/components/date-picker';
import FormField from '@cloudscape-design/components/form-field';
import { useFilters } from '../../../parts/useFilters';

interface DayFieldProps {
  label: string;
  /** Name of the filter in the address. */
  name: 'from' | 'to';
  /** The day that the API has used. */
  used: string | undefined;
  fault: string | undefined;
}

/** A day of the organization, as a filter. */
export function DayField({ label, name, used, fault }: DayFieldProps) {
  const [filters, change] = useFilters();
  return (
    <FormField label={label} errorText={fault}>
      <DatePicker
        value={filters[name] ?? used ?? ''}
        format="iso"
        inputFormat="iso"
        placeholder="YYYY-MM-DD"
        openCalendarAriaLabel={(day) => (day === null ? `Choose: ${label}` : `Choose: ${label}, now ${day}`)}
        onChange={({ detail }) => change({ [name]: detail.value })}
      />
    </FormField>
  );
}
