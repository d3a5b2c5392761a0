import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import ColumnLayout from '@cloudscape-design/components/column-layout';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import { useState } from 'react';
import { Announced } from '../../../parts/Announced';
import { LinkTo } from '../../../parts/LinkTo';
import type { Invoice } from '../queries';
import { AdjustDialog } from './AdjustDialog';
import { ACTIONS, type ActionName, type Outcome } from './actions';
import { RefundDialog } from './RefundDialog';
import { Regeneration } from './Regeneration';
import { VoidDialog } from './VoidDialog';

/** The actions that the API offers, each with what it does or why it is impossible, and what was observed after one. */
export function InvoiceActions({ invoice }: { invoice: Invoice }) {
  const [open, setOpen] = useState<ActionName | null>(null);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  if (invoice.actions.length === 0) return null;
  const close = (): void => setOpen(null);
  const done = (observed: Outcome): void => {
    close();
    setOutcome(observed);
  };
  const dialog = { invoice, onDone: done, onClose: close };
  return (
    <>
      {outcome && (
        <Announced type={outcome.type} header={outcome.text}>
          {outcome.link && <LinkTo href={outcome.link.href}>{outcome.link.text}</LinkTo>}
        </Announced>
      )}
      <Container header={<Header variant="h2">What you can do</Header>}>
        <ColumnLayout columns={3}>
          {invoice.actions.map(({ action, why_not }) => (
            <div key={action}>
              <Button disabled={why_not !== null} onClick={() => setOpen(action)}>
                {ACTIONS[action].label}
              </Button>
              <Box color="text-body-secondary" padding={{ top: 'xxs' }}>
                {why_not?.detail ?? ACTIONS[action].effect}
              </Box>
            </div>
          ))}
        </ColumnLayout>
      </Container>
      {open === 'refund' && <RefundDialog {...dialog} />}
      {(open === 'credit' || open === 'fee' || open === 'waiver') && <AdjustDialog {...dialog} kind={open} />}
      {open === 'void' && <VoidDialog {...dialog} />}
      {open === 'regenerate' && <Regeneration {...dialog} />}
    </>
  );
}
