import Checkbox from '@cloudscape-design/components/checkbox';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import Select from '@cloudscape-design/components/select';
import type { Field } from './fields';

interface SettingFieldProps {
  field: Field;
  currency: string;
  /** The value as text; `true` or `false` of a flag. */
  value: string;
  errorText: string | undefined;
  /** Says that another person has changed the value. */
  constraintText: string | undefined;
  onChange: (text: string) => void;
}

/** The input of one setting. */
export function SettingField({ field, currency, value, errorText, constraintText, onChange }: SettingFieldProps) {
  const { kind, label, hint } = field;
  if (kind === 'flag')
    return (
      <FormField errorText={errorText} constraintText={constraintText}>
        <Checkbox checked={value === 'true'} onChange={({ detail }) => onChange(String(detail.checked))}>
          {label}
        </Checkbox>
      </FormField>
    );
  const isMoney = kind === 'cents' || kind === 'units';
  return (
    <FormField
      label={isMoney ? `${label}, in ${currency.toUpperCase()}` : label}
      description={hint}
      errorText={errorText}
      constraintText={constraintText}
      stretch
    >
      {kind === 'choice' ? (
        <Choice choices={field.choices} value={value} onChange={onChange} />
      ) : (
        <Input
          value={value}
          inputMode={kind === 'days' ? 'text' : 'decimal'}
          disableBrowserAutocorrect
          onChange={({ detail }) => onChange(detail.value)}
        />
      )}
    </FormField>
  );
}

interface ChoiceProps {
  choices: Readonly<Record<string, string>>;
  value: string;
  onChange: (value: string) => void;
}

function Choice({ choices, value, onChange }: ChoiceProps) {
  const options = Object.entries(choices).map(([key, label]) => ({ value: key, label }));
  return (
    <Select
      options={options}
      selectedOption={options.find((option) => option.value === value) ?? null}
      onChange={({ detail }) => onChange(detail.selectedOption.value ?? value)}
    />
  );
}
