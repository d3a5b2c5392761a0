import ColumnLayout from '@cloudscape-design/components/column-layout';
import FormField from '@cloudscape-design/components/form-field';
import Input, { type InputProps } from '@cloudscape-design/components/input';
import { useState } from 'react';
import { Failure, fieldError } from '../../../parts/Failure';
import { FormDialog } from '../../../parts/FormDialog';
import { useFocusedInput } from '../../../parts/useFocusedInput';
import { useNewOrganization } from './queries';

/** Fields by the names that the API has for them. */
const FIELDS = [
  { name: 'name', label: 'Name', hint: '' },
  { name: 'slug', label: 'Slug', hint: 'For addresses: a-z, 0-9 and inner hyphens.' },
  { name: 'org_type', label: 'Type (optional)', hint: 'For example fraternity.' },
  { name: 'timezone', label: 'Time zone (optional)', hint: 'For example America/New_York. Without it: UTC.' },
  { name: 'admin.email', label: 'E-mail address of the first admin (optional)', hint: 'An invitation is mailed.' },
  { name: 'admin.first_name', label: 'First name of the admin (optional)', hint: 'For a person without an account.' },
  { name: 'admin.last_name', label: 'Last name of the admin (optional)', hint: 'For a person without an account.' },
] as const;

type FieldName = (typeof FIELDS)[number]['name'];
type Texts = Partial<Record<FieldName, string>>;

interface NewOrganizationProps {
  /** Gets a sentence that says what has happened. */
  onDone: (outcome: string) => void;
  onClose: () => void;
}

export function NewOrganization({ onDone, onClose }: NewOrganizationProps) {
  const [texts, setTexts] = useState<Texts>({});
  const first = useFocusedInput<InputProps.Ref>();
  const { mutate, isPending, error } = useNewOrganization();
  const submit = (): void => {
    if (isPending) return;
    mutate(bodyOf(texts), {
      onSuccess: ({ name }) => {
        onClose();
        onDone(`${name} is created.`);
      },
    });
  };
  const isAtField = FIELDS.some(({ name }) => fieldError(error, name) !== undefined);
  return (
    <FormDialog
      title="Create an organization"
      send="Create the organization"
      isSending={isPending}
      onSend={submit}
      onClose={onClose}
    >
      <ColumnLayout columns={2}>
        {FIELDS.map(({ name, label, hint }, at) => (
          <FormField key={name} label={label} description={hint} errorText={fieldError(error, name)} stretch>
            <Input
              {...(at === 0 && { ref: first })}
              value={texts[name] ?? ''}
              disableBrowserAutocorrect
              onChange={({ detail }) => setTexts({ ...texts, [name]: detail.value })}
            />
          </FormField>
        ))}
      </ColumnLayout>
      {Boolean(error) && !isAtField && <Failure error={error} />}
    </FormDialog>
  );
}

/** Returns the request. Fields that are empty are left out, except those that the API requires. */
function bodyOf({ name = '', slug = '', org_type, timezone, ...texts }: Texts) {
  const [email, first_name, last_name] = [texts['admin.email'], texts['admin.first_name'], texts['admin.last_name']];
  const admin = { email: email ?? '', ...(first_name && { first_name }), ...(last_name && { last_name }) };
  return {
    name,
    slug,
    ...(org_type && { org_type }),
    ...(timezone && { timezone }),
    ...((email || first_name || last_name) && { admin }),
  };
}
