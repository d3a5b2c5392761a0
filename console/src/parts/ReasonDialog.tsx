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
  /** Fields of the children, which show their own errors. They come first, so the focus is not on the reason. */
  fields?: readonly string[];
  onSend: (reason: string) => void;
  onClose: () => void;
}

const NO_FIELDS: readonly string[] = [];
const MIN_REASON_LENGTH = 3;
const MAX_REASON_LENGTH = 500;

/** Asks for the reason of an action, in one line. Enter sends. */
export function ReasonDialog(props: ReasonDialogProps) {
  const { title, children, send, isSending, error, fields = NO_FIELDS, onSend, onClose } = props;
  const [reason, setReason] = useState('');
  const [isSubmitted, setSubmitted] = useState(false);
  const input = useFocusedInput<InputProps.Ref>();
  const fault =
    fieldError(error, 'reason') ??
    (isSubmitted && reason.trim().length < MIN_REASON_LENGTH ? 'Write at least three letters.' : undefined);
  const isAtField = fields.some((field) => fieldError(error, field) !== undefined);
  const submit = (): void => {
    setSubmitted(true);
    if (reason.trim().length >= MIN_REASON_LENGTH && !isSending) onSend(reason.trim());
  };
  return (
    <FormDialog title={title} send={send} isSending={isSending} onSend={submit} onClose={onClose}>
      {children}
      <FormField label="Reason" description="One line. The audit log keeps it." errorText={fault}>
        <Input
          {...(fields.length === 0 && { ref: input })}
          value={reason}
          disableBrowserAutocorrect
          nativeInputAttributes={{ maxLength: MAX_REASON_LENGTH }}
          onChange={({ detail }) => setReason(detail.value)}
        />
      </FormField>
      {Boolean(error) && !fault && !isAtField && <Failure error={error} />}
    </FormDialog>
  );
}
