import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import { ReasonDialog } from '../../parts/ReasonDialog';
import { type ActionName, type CancelResult, type Process, type RetryResult, useAction } from './queries';

const LABELS: Readonly<Record<ActionName, string>> = { retry: 'Retry', cancel: 'Cancel the process' };

type OnDone = (result: RetryResult | CancelResult) => void;

/** The actions, safe ones first, each with the API's sentence that says what it does or why it is impossible. */
export function Actions({ process, onDone }: { process: Process; onDone: OnDone }) {
  const [open, setOpen] = useState<Process['actions'][number] | null>(null);
  const actions = process.actions.toSorted((one, other) => Number(other.safe) - Number(one.safe));
  return (
    <Container header={<Header variant="h2">What you can do</Header>}>
      <SpaceBetween size="m">
        {actions.map((action, at) => (
          <div key={action.action}>
            <Button
              variant={action.safe && at === 0 ? 'primary' : 'normal'}
              disabled={!action.safe}
              onClick={() => setOpen(action)}
            >
              {LABELS[action.action]}
            </Button>
            <Box color="text-body-secondary" padding={{ top: 'xxs' }}>
              {action.reason}
            </Box>
          </div>
        ))}
      </SpaceBetween>
      {open && <ActionDialog process={process} action={open} onDone={onDone} onClose={() => setOpen(null)} />}
    </Container>
  );
}

interface ActionDialogProps {
  process: Process;
  action: Process['actions'][number];
  onDone: OnDone;
  onClose: () => void;
}

function ActionDialog({ process, action: { action, reason }, onDone, onClose }: ActionDialogProps) {
  const { mutate, isPending, error } = useAction(process.id, action);
  const submit = (text: string): void =>
    mutate(text, {
      onSuccess: (result) => {
        onClose();
        onDone(result);
      },
    });
  return (
    <ReasonDialog
      title={`${LABELS[action]}?`}
      send={LABELS[action]}
      isSending={isPending}
      error={error}
      onSend={submit}
      onClose={onClose}
    >
      {reason}
    </ReasonDialog>
  );
}
