import FormField from '@cloudscape-design/components/form-field';
import Input, { type InputProps } from '@cloudscape-design/components/input';
import { type ReactNode, useState } from 'react';
import { Failure, fieldError } from '../../parts/Failure';
import { FormDialog } from '../../parts/FormDialog';
import { useFocusedInput } from '../../parts/useFocusedInput';

interface DecisionDialogProps {
  title: string;
  /** What will happen, and fields that the decision needs. */
  children?: ReactNode;
  /** Label of the button that sends. */
  send: string;
  needsNotes: boolean;
  isSending: boolean;
  error: unknown;
  onSend: (notes: string) => void;
  onClose: () => void;
}

/** Asks for the notes of a decision, in one line. Enter sends. */
export function DecisionDialog(props: DecisionDialogProps) {
  const { title, children, send, needsNotes, isSending, error, onSend, onClose } = props;
  const [notes, setNotes] = useState('');
  const [isSubmitted, setSubmitted] = useState(false);
  const input = useFocusedInput<InputProps.Ref>();
  const isMissing = needsNotes && notes.trim() === '';
  const fault = fieldError(error, 'notes') ?? (isSubmitted && isMissing ? 'Say why.' : undefined);
  const submit = (): void => {
    setSubmitted(true);
    if (!isMissing && !isSending) onSend(notes.trim());
  };
  return (
    <FormDialog title={title} send={send} isSending={isSending} onSend={submit} onClose={onClose}>
      {children}
      <FormField
        label={needsNotes ? 'Notes' : 'Notes (optional)'}
        description="One line. The requester reads them."
        errorText={fault}
      >
        <Input ref={input} value={notes} disableBrowserAutocorrect onChange={({ detail }) => setNotes(detail.value)} />
      </FormField>
      {Boolean(error) && !fault && <Failure error={error} />}
    </FormDialog>
  );
}
