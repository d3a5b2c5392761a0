import FormField from '@cloudscape-design/components/form-field';
import Input, { type InputProps } from '@cloudscape-design/components/input';
import type { Ref } from 'react';
import { parseCents } from './Cents';

interface AmountFieldProps {
  label: string;
  description?: string | undefined;
  /** What the person has typed. `parseCents` reads it. */
  value: string;
  currency: string;
  errorText?: string | undefined;
  constraintText?: string | undefined;
  onChange: (text: string) => void;
  inputRef?: Ref<InputProps.Ref>;
}

/** An input for an amount of money. */
export function AmountField({
  label,
  description,
  value,
  currency,
  errorText,
  constraintText,
  onChange,
  inputRef = null,
}: AmountFieldProps) {
  const fault = parseCents(value, currency) === null ? 'Type an amount, for example 12.50.' : errorText;
  return (
    <FormField
      label={`${label}, in ${currency.toUpperCase()}`}
      description={description}
      errorText={fault}
      constraintText={constraintText}
      stretch
    >
      <Input
        ref={inputRef}
        value={value}
        inputMode="decimal"
        disableBrowserAutocorrect
        onChange={({ detail }) => onChange(detail.value)}
      />
    </FormField>
  );
}
