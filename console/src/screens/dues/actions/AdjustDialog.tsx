import Box from '@cloudscape-design/components/box';
import type { InputProps } from '@cloudscape-design/components/input';
import { useState } from 'react';
import { AmountField } from '../../../parts/AmountField';
import { formatCents, parseCents } from '../../../parts/Cents';
import { fieldError } from '../../../parts/Failure';
import { ReasonDialog } from '../../../parts/ReasonDialog';
import { useFocusedInput } from '../../../parts/useFocusedInput';
import { ACTIONS } from './actions';
import { useAdjustment } from './queries';
import type { ActionDialogProps } from './VoidDialog';

type Kind = 'credit' | 'fee' | 'waiver';

const OUTCOMES: Readonly<Record<Kind, (amount: string) => string>> = {
  credit: (amount) => `${amount} is paid from the credit of the payer.`,
  fee: (amount) => `A fee of ${amount} is added.`,
  waiver: (amount) => `${amount} is waived.`,
};

/** Asks for the amount of a payment from credit, of a fee or of a waiver, and for its reason. */
export function AdjustDialog({ invoice, kind, onDone, onClose }: ActionDialogProps & { kind: Kind }) {
  const { id, currency } = invoice;
  const [amount, setAmount] = useState('');
  const [isSubmitted, setSubmitted] = useState(false);
  const input = useFocusedInput<InputProps.Ref>();
  const { mutate, isPending, error } = useAdjustment(id);
  const cents = parseCents(amount, currency);
  const submit = (reason: string): void => {
    setSubmitted(true);
    if (!cents) return;
    mutate(
      { kind, amount_cents: cents, reason },
      { onSuccess: () => onDone({ type: 'success', text: OUTCOMES[kind](formatCents(cents, currency)) }) },
    );
  };
  return (
    <ReasonDialog
      title={`${ACTIONS[kind].label}?`}
      send={ACTIONS[kind].label}
      isSending={isPending}
      error={error}
      fields={['amount_cents']}
      onSend={submit}
      onClose={onClose}
    >
      <Box>{ACTIONS[kind].effect}</Box>
      <AmountField
        label="Amount"
        value={amount}
        currency={currency}
        inputRef={input}
        errorText={isSubmitted && !cents ? 'Type an amount.' : fieldError(error, 'amount_cents')}
        onChange={setAmount}
      />
    </ReasonDialog>
  );
}
