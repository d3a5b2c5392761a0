import FormField from '@cloudscape-design/components/form-field';
import Input, { type InputProps } from '@cloudscape-design/components/input';
import { type ReactNode, useState } from 'react';
import { Failure, fieldError } from './Failure';
import { FormDialog } from './FormDialog';
import { useFocusedInput } from './useFocusedInput';

interface ReasonDialogProps {
  title: string;
  /** What will happen. */
  children: ReactNode;
  /** Label of the button that sends. */
  send: string;
  isSending: boolean;
  error: unknown;
  onSend: (reason: string) => void;
  onClose: () => void;
}

const MIN_REASON_LENGTH = 3;
const MAX_REASON_LENGTH = 500;

/** Asks for the reason of an action, in one line. Enter sends. */
export function ReasonDialog({ title, children, send, isSending, error, onSend, onClose }: ReasonDialogProps) {
  const [reason, setReason] = useState('');
  const [isSubmitted, setSubmitted] = useState(false);
  const input = useFocusedInput<InputProps.Ref>();
  const fault =
    fieldError(error, 'reason') ??
    (isSubmitted && reason.trim().length < MIN_REASON_LENGTH ? 'Write at least three letters.' : undefined);
  const submit = (): void => {
    setSubmitted(true);
    if (reason.trim().length >= MIN_REASON_LENGTH && !isSending) onSend(reason.trim());
  };
  return (
    <FormDialog title={title} send={send} isSending={isSending} onSend={submit} onClose={onClose}>
      {children}
      <FormField label="Reason" description="One line. The audit log keeps it." errorText={fault}>
        <Input
          ref={input}
          value={reason}
          disableBrowserAutocorrect
          nativeInputAttributes={{ maxLength: MAX_REASON_LENGTH }}
          onChange={({ detail }) => setReason(detail.value)}
        />
      </FormField>
      {Boolean(error) && !fault && <Failure error={error} />}
    </FormDialog>
  );
}
