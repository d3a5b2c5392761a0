import FormField from '@cloudscape-design/components/form-field';
import Input, { type InputProps } from '@cloudscape-design/components/input';
import RadioGroup from '@cloudscape-design/components/radio-group';
import Textarea from '@cloudscape-design/components/textarea';
import { useState } from 'react';
import { Failure, fieldError } from '../../../parts/Failure';
import { FormDialog } from '../../../parts/FormDialog';
import { useFocusedInput } from '../../../parts/useFocusedInput';
import { AUDIENCE_LABELS } from './labels';
import { type Audience, useNewAlert } from './queries';

const AUDIENCES = Object.keys(AUDIENCE_LABELS) as Audience[];

interface NewAlertProps {
  /** Gets a sentence that says what has happened. */
  onDone: (outcome: string) => void;
  onClose: () => void;
}

/** Writes an alert. It is published once, however often the request is repeated. */
export function NewAlert({ onDone, onClose }: NewAlertProps) {
  const [title, setTitle] = useState('');
  const [body, setBody] = useState('');
  const [audience, setAudience] = useState<Audience>('admins');
  const [idempotencyKey] = useState(() => crypto.getRandomValues(new Uint32Array(4)).join('-'));
  const first = useFocusedInput<InputProps.Ref>();
  const { mutate, isPending, error } = useNewAlert();
  const submit = (): void => {
    if (isPending) return;
    mutate(
      { title, body, audience, idempotency_key: idempotencyKey },
      {
        onSuccess: () => {
          onClose();
          onDone(`“${title}” is published.`);
        },
      },
    );
  };
  const faults = { title: fieldError(error, 'title'), body: fieldError(error, 'body') };
  return (
    <FormDialog title="Publish an alert" send="Publish" isSending={isPending} onSend={submit} onClose={onClose}>
      <FormField label="Title" errorText={faults.title} stretch>
        <Input ref={first} value={title} onChange={({ detail }) => setTitle(detail.value)} />
      </FormField>
      <FormField label="Text" description="At most 500 letters." errorText={faults.body} stretch>
        <Textarea value={body} onChange={({ detail }) => setBody(detail.value)} />
      </FormField>
      <FormField label="To" stretch>
        <RadioGroup
          value={audience}
          items={AUDIENCES.map((value) => ({ value, label: AUDIENCE_LABELS[value] }))}
          onChange={({ detail }) => setAudience(AUDIENCES.find((value) => value === detail.value) ?? audience)}
        />
      </FormField>
      {Boolean(error) && !faults.title && !faults.body && <Failure error={error} />}
    </FormDialog>
  );
}
