import Box from '@cloudscape-design/components/box';
import Checkbox from '@cloudscape-design/components/checkbox';
import FormField from '@cloudscape-design/components/form-field';
import Input, { type InputProps } from '@cloudscape-design/components/input';
import { useState } from 'react';
import { AmountField } from '../../../parts/AmountField';
import { formatCents, parseCents } from '../../../parts/Cents';
import { fieldError } from '../../../parts/Failure';
import { ReasonDialog } from '../../../parts/ReasonDialog';
import { useFocusedInput } from '../../../parts/useFocusedInput';
import { ACTIONS, type Outcome } from './actions';
import { type RefundAnswer, useRefund } from './queries';
import type { ActionDialogProps } from './VoidDialog';

/** Asks how much to refund, and why. Where amounts are hidden, everything is refunded. */
export function RefundDialog({ invoice, onDone, onClose }: ActionDialogProps) {
  const { id, currency, refundable_cents, payments, actions } = invoice;
  const [amount, setAmount] = useState('');
  const [reference, setReference] = useState('');
  const [waives, setWaives] = useState(false);
  const input = useFocusedInput<InputProps.Ref>();
  const { mutate, isPending, error } = useRefund(id);
  const showsAmount = refundable_cents !== null;
  const isByHand = payments.some(({ method }) => method !== null);
  const mayWaive = actions.some(({ action }) => action === 'waiver');
  const submit = (reason: string): void => {
    const cents = parseCents(amount, currency);
    if (cents === null) return;
    const body = {
      reason,
      waive: waives,
      ...(cents > 0 && { amount_cents: cents }),
      ...(reference.trim() && { reference: reference.trim() }),
    };
    mutate(body, { onSuccess: (answer) => onDone(outcomeOf(answer, currency)) });
  };
  return (
    <ReasonDialog
      title="Refund?"
      send="Refund"
      isSending={isPending}
      error={error}
      fields={[...(showsAmount ? ['amount_cents'] : []), ...(isByHand ? ['reference'] : [])]}
      onSend={submit}
      onClose={onClose}
    >
      <Box>{ACTIONS.refund.effect}</Box>
      {showsAmount && (
        <AmountField
          label="Amount"
          description={`Empty: all that can be refunded, ${formatCents(refundable_cents, currency)}.`}
          value={amount}
          currency={currency}
          inputRef={input}
          errorText={fieldError(error, 'amount_cents')}
          onChange={setAmount}
        />
      )}
      {isByHand && (
        <FormField
          label="How it is refunded"
          description="Needed for payments that were recorded by hand, for example the number of a check."
          errorText={fieldError(error, 'reference')}
          stretch
        >
          <Input value={reference} onChange={({ detail }) => setReference(detail.value)} />
        </FormField>
      )}
      {mayWaive && (
        <Checkbox checked={waives} onChange={({ detail }) => setWaives(detail.checked)}>
          Waive what is due again
        </Checkbox>
      )}
    </ReasonDialog>
  );
}

function outcomeOf(answer: RefundAnswer, currency: string): Outcome {
  if (!('refunds' in answer))
    return {
      type: 'info',
      text: 'An administrator of the organization decides about the refund.',
      link: { href: `/console/refund-requests/${answer.id}`, text: 'The request' },
    };
  const { refunds } = answer;
  if (refunds.some(({ status }) => status === 'failed'))
    return { type: 'error', text: 'A refund failed. It is listed below.' };
  if (refunds.some(({ status }) => status !== 'succeeded'))
    return { type: 'info', text: 'The refund is requested. Its outcome is not known yet.' };
  const cents = refunds.reduce((sum, { amount_cents }) => sum + (amount_cents ?? 0), 0);
  return { type: 'success', text: cents > 0 ? `${formatCents(cents, currency)} is refunded.` : 'The refund is made.' };
}
