import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import { ReasonDialog } from '../../../parts/ReasonDialog';
import { PayerField } from './PayerField';
import { type Resolution, type Unmatched, useResolution } from './queries';

type Payer = NonNullable<Resolution['payer']>;
type Choice = Resolution['resolution'];

interface DecideUnmatchedProps {
  payment: Unmatched;
  onDone: (payment: Unmatched) => void;
}

const TITLES: Readonly<Record<Choice, string>> = {
  refund: 'Refund the payment?',
  keep_as_credit: 'Keep it as credit?',
};

/** The two decisions about an unmatched payment. */
export function DecideUnmatched({ payment, onDone }: DecideUnmatchedProps) {
  const [payer, setPayer] = useState<Payer | null>(null);
  const [open, setOpen] = useState<Choice | null>(null);
  const { mutate, isPending, error, reset } = useResolution(payment.id, (decided) => {
    setOpen(null);
    onDone(decided);
  });
  const ask = (choice: Choice): void => {
    reset();
    setOpen(choice);
  };
  return (
    <Container header={<Header variant="h2">What you can do</Header>}>
      <SpaceBetween size="l">
        <div>
          <Button onClick={() => ask('refund')}>Refund it</Button>
          <Box color="text-body-secondary" padding={{ top: 'xxs' }}>
            All that remains of the charge is returned to the person who paid it.
          </Box>
        </div>
        <SpaceBetween size="xs">
          <PayerField onChange={setPayer} />
          <Button
            disabled={!payer}
            disabledReason="Choose who gets the credit first."
            onClick={() => ask('keep_as_credit')}
          >
            Keep it as credit
          </Button>
        </SpaceBetween>
      </SpaceBetween>
      {open && (
        <ReasonDialog
          title={TITLES[open]}
          send={open === 'refund' ? 'Refund' : 'Keep as credit'}
          isSending={isPending}
          error={error}
          onSend={(note) =>
            mutate({ resolution: open, note, ...(open === 'keep_as_credit' && payer ? { payer } : {}) })
          }
          onClose={() => setOpen(null)}
        >
          {open === 'refund'
            ? 'The provider is asked to return what remains of the charge.'
            : 'The payer can use the credit for invoices. A later refund of the charge removes it.'}
        </ReasonDialog>
      )}
    </Container>
  );
}
