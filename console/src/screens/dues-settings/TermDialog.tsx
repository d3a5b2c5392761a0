import FormField from '@cloudscape-design/components/form-field';
import Input, { type InputProps } from '@cloudscape-design/components/input';
import { useState } from 'react';
import { fieldError } from '../../parts/Failure';
import { FormDialog } from '../../parts/FormDialog';
import { useFocusedInput } from '../../parts/useFocusedInput';
import { changedTo } from './changedTo';
import { type Term, useTermChange } from './queries';
import { SaveFailure } from './SaveFailure';

const FIELDS = [
  { name: 'name', label: 'Name', hint: 'For example Fall 2026.' },
  { name: 'starts_on', label: 'First day', hint: 'For example 2026-08-15.' },
  { name: 'ends_on', label: 'Last day', hint: 'It belongs to the term. Terms do not overlap.' },
] as const;

interface TermDialogProps {
  /** The term as it was when the dialog was opened; null: a new one. */
  opened: Term | null;
  /** The terms now. */
  rows: readonly Term[];
  onDone: (outcome: string) => void;
  onClose: () => void;
}

/** Creates a term, or changes one. */
export function TermDialog({ opened, rows, onDone, onClose }: TermDialogProps) {
  const current = opened && (rows.find(({ id }) => id === opened.id) ?? opened);
  const [typed, setTyped] = useState({
    name: opened?.name ?? '',
    starts_on: opened?.starts_on ?? '',
    ends_on: opened?.ends_on ?? '',
  });
  const first = useFocusedInput<InputProps.Ref>();
  const { mutate, isPending, error } = useTermChange(current);
  const submit = (): void => {
    if (isPending) return;
    mutate(typed, {
      onSuccess: ({ name }) => {
        onClose();
        onDone(`${name} is saved.`);
      },
    });
  };
  const isAtField = FIELDS.some(({ name }) => fieldError(error, name) !== undefined);
  return (
    <FormDialog
      title={opened ? `Change ${opened.name}` : 'New term'}
      send="Save"
      isSending={isPending}
      onSend={submit}
      onClose={onClose}
    >
      {FIELDS.map(({ name, label, hint }, at) => (
        <FormField
          key={name}
          label={label}
          description={hint}
          errorText={fieldError(error, name)}
          constraintText={opened && current && changedTo(opened[name], current[name])}
          stretch
        >
          <Input
            {...(at === 0 && { ref: first })}
            value={typed[name]}
            disableBrowserAutocorrect
            onChange={({ detail }) => setTyped({ ...typed, [name]: detail.value.trimStart() })}
          />
        </FormField>
      ))}
      {Boolean(error) && !isAtField && <SaveFailure error={error} />}
    </FormDialog>
  );
}
