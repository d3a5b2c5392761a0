import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import { ReasonDialog } from '../../../parts/ReasonDialog';
import { useResolution } from './queries';

type Choice = 'corrected' | 'accepted';

const CHOICES: { resolution: Choice; label: string; effect: string }[] = [
  {
    resolution: 'corrected',
    label: 'Close: corrected',
    effect: 'You have corrected it elsewhere, for example at the provider. Moves no money.',
  },
  { resolution: 'accepted', label: 'Close: accept it', effect: 'It may stay as it is. Moves no money.' },
];

/** The decisions about a case without payments to allocate to. */
export function CloseCase({ id, onDone }: { id: string; onDone: (outcome: string) => void }) {
  const [open, setOpen] = useState<(typeof CHOICES)[number] | null>(null);
  const { mutate, isPending, error, reset } = useResolution(id, () => onDone('The case is closed.'));
  const ask = (choice: (typeof CHOICES)[number]): void => {
    reset();
    setOpen(choice);
  };
  return (
    <Container header={<Header variant="h2">What you can do</Header>}>
      <SpaceBetween size="m">
        {CHOICES.map((choice) => (
          <div key={choice.resolution}>
            <Button onClick={() => ask(choice)}>{choice.label}</Button>
            <Box color="text-body-secondary" padding={{ top: 'xxs' }}>
              {choice.effect}
            </Box>
          </div>
        ))}
      </SpaceBetween>
      {open && (
        <ReasonDialog
          title={`${open.label}?`}
          send="Close the case"
          isSending={isPending}
          error={error}
          onSend={(note) => mutate({ resolution: open.resolution, note })}
          onClose={() => setOpen(null)}
        >
          {open.effect}
        </ReasonDialog>
      )}
    </Container>
  );
}
