import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import { formatCents } from '../../../parts/Cents';
import { ReasonDialog } from '../../../parts/ReasonDialog';
import { type Action, type Proposal, type Remittance, useDecision } from '../queries';
import { Sums } from './Sums';

interface DecideProps {
  remittance: Remittance;
  proposal: Proposal;
  /** Lines that are still to be checked. */
  unchecked: number;
  onDone: (outcome: string) => void;
  onStale: () => void;
}

/** The sums of a proposal, and the two decisions about it. */
export function Decide({ remittance, proposal, unchecked, onDone, onStale }: DecideProps) {
  const [open, setOpen] = useState<Action | null>(null);
  const { unplaced_cents, refunding_cents, may_refund_unplaced: mayRefund } = proposal;
  const isRefunding = Boolean(refunding_cents);
  const hasUnplaced = Boolean(unplaced_cents);
  return (
    <Container header={<Header variant="h2">What you can do</Header>}>
      <SpaceBetween size="m">
        <Sums proposal={proposal} currency={remittance.currency} />
        {hasUnplaced && (
          <div>
            <Button
              variant="primary"
              disabled={isRefunding || !mayRefund}
              disabledReason={
                mayRefund
                  ? 'A refund is pending. The proposal is loaded again every ten seconds.'
                  : 'An administrator of the organization must do this.'
              }
              onClick={() => setOpen('refund')}
            >
              Refund what remains
            </Button>
            <Explanation>Returns the amount that no invoice can take to the payer of the charge.</Explanation>
          </div>
        )}
        <div>
          <Button
            variant={hasUnplaced ? 'normal' : 'primary'}
            disabled={reasonToWait(unchecked, hasUnplaced, isRefunding) !== ''}
            disabledReason={reasonToWait(unchecked, hasUnplaced, isRefunding)}
            onClick={() => setOpen('resolve')}
          >
            Resolve
          </Button>
          <Explanation>Allocates the money exactly as proposed. The payers are notified.</Explanation>
        </div>
      </SpaceBetween>
      {open && (
        <DecisionDialog
          remittance={remittance}
          proposal={proposal}
          action={open}
          onDone={onDone}
          onStale={onStale}
          onClose={() => setOpen(null)}
        />
      )}
    </Container>
  );
}

const Explanation = ({ children }: { children: string }) => (
  <Box color="text-body-secondary" padding={{ top: 'xxs' }}>
    {children}
  </Box>
);

/** Why the proposal cannot be accepted yet; empty if it can. */
function reasonToWait(unchecked: number, hasUnplaced: boolean, isRefunding: boolean): string {
  if (hasUnplaced) return 'Refund what remains first.';
  if (isRefunding) return 'A refund is pending. The proposal is loaded again every ten seconds.';
  return unchecked > 0 ? 'Check each line that pays for another member first.' : '';
}

const LABELS: Readonly<Record<Action, string>> = { resolve: 'Resolve', refund: 'Refund' };
const TITLES: Readonly<Record<Action, string>> = {
  resolve: 'Allocate the money as proposed?',
  refund: 'Refund what no invoice can take?',
};

interface DecisionDialogProps extends Omit<DecideProps, 'unchecked'> {
  action: Action;
  onClose: () => void;
}

function DecisionDialog({ remittance, proposal, action, onDone, onStale, onClose }: DecisionDialogProps) {
  const { proposal_hash, unplaced_cents, changes } = proposal;
  const done = ({ status }: Remittance): void => {
    onClose();
    onDone(outcomeOf(action, status));
  };
  const stale = (): void => {
    onClose();
    onStale();
  };
  const { mutate, isPending, error } = useDecision(remittance.id, { onDone: done, onStale: stale });
  return (
    <ReasonDialog
      title={TITLES[action]}
      send={LABELS[action]}
      isSending={isPending}
      error={error}
      onSend={(reason) => mutate({ action, proposal_hash, reason })}
      onClose={onClose}
    >
      {action === 'resolve'
        ? `${changes.length === 1 ? '1 line' : `${changes.length} lines`} as shown in the proposal.`
        : unplaced_cents !== null && `${formatCents(unplaced_cents, remittance.currency)} is returned to the payer.`}
    </ReasonDialog>
  );
}

function outcomeOf(action: Action, status: Remittance['status']): string {
  if (action === 'resolve') return 'The money is allocated as proposed.';
  return status === 'needs_reconciliation'
    ? 'The refund is requested. Its outcome is below.'
    : 'The refund is done, and the remittance is resolved.';
}
