import Button from '@cloudscape-design/components/button';
import ColumnLayout from '@cloudscape-design/components/column-layout';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import Select from '@cloudscape-design/components/select';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { type FormEvent, useState } from 'react';
import { Announced } from '../../parts/Announced';
import { ChapterSelect } from '../../parts/ChapterSelect';
import { Failure, fieldError } from '../../parts/Failure';
import { LinkTo } from '../../parts/LinkTo';
import { Page } from '../../parts/Page';
import { useFilters } from '../../parts/useFilters';
import { ROLE_LABELS, STATUS_LABELS } from './labels';
import { type Member, useAddMember } from './queries';

const TEXT_FIELDS = [
  { name: 'email', label: 'E-mail address', type: 'email' },
  { name: 'first_name', label: 'First name', type: 'text' },
  { name: 'last_name', label: 'Last name', type: 'text' },
  { name: 'joined_date', label: 'Joined (optional), for example 2026-09-01', type: 'text' },
  { name: 'graduation_year', label: 'Graduation year (optional)', type: 'number' },
  { name: 'justification', label: 'Justification (needed if another person decides)', type: 'text' },
] as const;

type TextName = (typeof TEXT_FIELDS)[number]['name'];

const EMPTY: Record<TextName, string> = {
  email: '',
  first_name: '',
  last_name: '',
  joined_date: '',
  graduation_year: '',
  justification: '',
};
const CHOICES = ['role', 'status', 'chapter'];

/** Adds a member to a chapter. Where the person may not, the API files a request, which others decide. */
export function AddMemberScreen() {
  const [{ chapter = '' }, change] = useFilters();
  const [texts, setTexts] = useState(EMPTY);
  const [role, setRole] = useState<Member['role']>('member');
  const [status, setStatus] = useState<Member['status']>('undergrad');
  const add = useAddMember(chapter);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (add.isPending || chapter === '') return;
    const { email, first_name, last_name, joined_date, graduation_year, justification } = texts;
    add.mutate(
      {
        email,
        first_name,
        last_name,
        role,
        status,
        ...(joined_date && { joined_date }),
        ...(graduation_year && { graduation_year: Number(graduation_year) }),
        ...(justification && { justification }),
      },
      { onSuccess: () => setTexts(EMPTY) },
    );
  };
  const isAtField = [...TEXT_FIELDS.map(({ name }) => name), ...CHOICES].some((name) => fieldError(add.error, name));
  return (
    <Page title="Add a member">
      <form onSubmit={submit}>
        <SpaceBetween size="m">
          {add.data && <Added added={add.data} />}
          <ColumnLayout columns={2}>
            <ChapterSelect
              label="Chapter"
              value={chapter}
              errorText={fieldError(add.error, 'chapter')}
              onChange={(id) => change({ chapter: id })}
            />
            {TEXT_FIELDS.map(({ name, label, type }) => (
              <FormField key={name} label={label} errorText={fieldError(add.error, name)} stretch>
                <Input
                  type={type}
                  value={texts[name]}
                  onChange={({ detail }) => setTexts({ ...texts, [name]: detail.value })}
                />
              </FormField>
            ))}
            <Choice
              label="Status"
              options={STATUS_LABELS}
              value={status}
              errorText={fieldError(add.error, 'status')}
              onChange={setStatus}
            />
            <Choice
              label="Role"
              options={ROLE_LABELS}
              value={role}
              errorText={fieldError(add.error, 'role')}
              onChange={setRole}
            />
          </ColumnLayout>
          {add.error && !isAtField && <Failure error={add.error} />}
          <Button variant="primary" formAction="submit" disabled={chapter === ''} loading={add.isPending}>
            Add the member
          </Button>
        </SpaceBetween>
      </form>
    </Page>
  );
}

/** What the API has made of the addition. */
function Added({ added }: { added: NonNullable<ReturnType<typeof useAddMember>['data']> }) {
  const name = `${added.first_name} ${added.last_name}`;
  if (!('invitation' in added))
    return (
      <Announced type="success" header={`Another person decides whether to add ${name}`}>
        <LinkTo href={`/console/member-add-requests/${added.id}`}>Open the request</LinkTo>
      </Announced>
    );
  return (
    <Announced type="success" header={added.invitation ? `${name} is invited` : `${name} is added`}>
      <LinkTo href={`/console/memberships/${added.id}`}>Open the member</LinkTo>
    </Announced>
  );
}

interface ChoiceProps<Value extends string> {
  label: string;
  options: Readonly<Record<Value, string>>;
  value: Value;
  errorText: string | undefined;
  onChange: (value: Value) => void;
}

function Choice<Value extends string>({ label, options, value, errorText, onChange }: ChoiceProps<Value>) {
  const values = Object.keys(options) as Value[];
  return (
    <FormField label={label} errorText={errorText} stretch>
      <Select
        options={values.map((name) => ({ value: name, label: options[name] }))}
        selectedOption={{ value, label: options[value] }}
        onChange={({ detail }) => onChange(values.find((name) => name === detail.selectedOption.value) ?? value)}
      />
    </FormField>
  );
}
