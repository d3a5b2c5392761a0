import Box from '@cloudscape-design/components/box';
import type { ReactNode } from 'react';
import { Failure } from './Failure';
import { FormDialog } from './FormDialog';

interface ConfirmDialogProps {
  title: string;
  /** What will happen. */
  children: ReactNode;
  /** Label of the button that sends. */
  send: string;
  isSending: boolean;
  error: unknown;
  onSend: () => void;
  onClose: () => void;
}

/** Asks whether to do something. */
export function ConfirmDialog({ title, children, send, isSending, error, onSend, onClose }: ConfirmDialogProps) {
  return (
    <FormDialog title={title} send={send} isSending={isSending} onSend={onSend} onClose={onClose}>
      <Box>{children}</Box>
      {Boolean(error) && <Failure error={error} />}
    </FormDialog>
  );
}
