import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Modal from '@cloudscape-design/components/modal';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { type ReactNode, useId } from 'react';

interface FormDialogProps {
  title: string;
  children: ReactNode;
  /** Label of the button that sends. */
  send: string;
  isSending: boolean;
  onSend: () => void;
  onClose: () => void;
}

/** A dialog with a form: its button and Enter send. */
export function FormDialog({ title, children, send, isSending, onSend, onClose }: FormDialogProps) {
  // The footer is outside of the form. Enter sends a form with several inputs only if it has a button.
  const id = useId();
  return (
    <Modal
      visible
      header={title}
      onDismiss={onClose}
      footer={
        <Box float="right">
          <SpaceBetween direction="horizontal" size="xs">
            <Button variant="link" onClick={onClose}>
              Close
            </Button>
            <Button variant="primary" form={id} formAction="submit" loading={isSending}>
              {send}
            </Button>
          </SpaceBetween>
        </Box>
      }
    >
      <form
        id={id}
        onSubmit={(event) => {
          event.preventDefault();
          onSend();
        }}
      >
        <SpaceBetween size="m">{children}</SpaceBetween>
      </form>
    </Modal>
  );
}
