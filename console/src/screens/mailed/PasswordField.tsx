import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import { PASSWORD_RULE } from '../../session/passwordRule';

interface PasswordFieldProps {
  label: string;
  value: string;
  fault: string | undefined;
  onChange: (value: string) => void;
}

export const PasswordField = ({ label, value, fault, onChange }: PasswordFieldProps) => (
  <FormField label={label} description={PASSWORD_RULE} errorText={fault}>
    <Input
      type="password"
      autoComplete="new-password"
      value={value}
      onChange={({ detail }) => onChange(detail.value)}
    />
  </FormField>
);
