import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Modal from '@cloudscape-design/components/modal';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';
import { Failure } from '../../parts/Failure';

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
            <Button variant="primary" loading={isSending} onClick={onSend}>
              {send}
            </Button>
          </SpaceBetween>
        </Box>
      }
    >
      <SpaceBetween size="m">
        <Box>{children}</Box>
        {Boolean(error) && <Failure error={error} />}
      </SpaceBetween>
    </Modal>
  );
}
