import Checkbox from '@cloudscape-design/components/checkbox';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import Select from '@cloudscape-design/components/select';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { ChapterSelect } from '../../parts/ChapterSelect';
import { fieldError } from '../../parts/Failure';
import { PersonSelect } from './PersonSelect';
import { type ReviewField, type ReviewValues, withDefaults } from './approvalFields';

interface ReviewFieldsProps {
  fields: readonly ReviewField[];
  given: ReviewValues;
  error: unknown;
  onChange: (values: ReviewValues) => void;
}

/** The fields of an approval. */
export function ReviewFields({ fields, given, error, onChange }: ReviewFieldsProps) {
  const values = withDefaults(fields, given);
  return (
    <SpaceBetween size="m">
      {fields
        .filter(({ isShown }) => isShown?.(values) ?? true)
        .map((field) => (
          <Field
            key={field.name}
            field={field}
            value={values[field.name]}
            errorText={fieldError(error, field.name)}
            onChange={(value) => onChange({ ...given, [field.name]: value })}
          />
        ))}
    </SpaceBetween>
  );
}

interface FieldProps {
  field: ReviewField;
  value: unknown;
  errorText: string | undefined;
  onChange: (value: unknown) => void;
}

function Field({ field: { label, control, options = {} }, value, errorText, onChange }: FieldProps) {
  const text = typeof value === 'string' ? value : '';
  if (control === 'chapter')
    return (
      <ChapterSelect label={label} none="The requested one" value={text} errorText={errorText} onChange={onChange} />
    );
  if (control === 'person')
    return <PersonSelect label={label} value={text} errorText={errorText} onChange={onChange} />;
  if (control === 'check')
    return (
      <FormField errorText={errorText}>
        <Checkbox checked={value === true} onChange={({ detail }) => onChange(detail.checked)}>
          {label}
        </Checkbox>
      </FormField>
    );
  if (control === 'number')
    return (
      <FormField label={`${label} (optional)`} errorText={errorText}>
        <Input type="number" value={text} onChange={({ detail }) => onChange(detail.value)} />
      </FormField>
    );
  const choices = Object.entries(options).map(([choice, name]) => ({ value: choice, label: name }));
  return (
    <FormField label={label} errorText={errorText}>
      <Select
        options={choices}
        selectedOption={choices.find((choice) => choice.value === text) ?? null}
        onChange={({ detail }) => onChange(detail.selectedOption.value)}
      />
    </FormField>
  );
}
