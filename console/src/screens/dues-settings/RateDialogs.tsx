import type { InputProps } from '@cloudscape-design/components/input';
import { useState } from 'react';
import { AmountField } from '../../parts/AmountField';
import { amountText, formatCents, parseCents } from '../../parts/Cents';
import { ConfirmDialog } from '../../parts/ConfirmDialog';
import { fieldError } from '../../parts/Failure';
import { FormDialog } from '../../parts/FormDialog';
import { useFocusedInput } from '../../parts/useFocusedInput';
import { changedTo } from './changedTo';
import { nameOf } from './nameOf';
import { type Rate, useRateChange, useRateRemoval } from './queries';
import { SaveFailure } from './SaveFailure';

interface DialogProps {
  onDone: (outcome: string) => void;
  onClose: () => void;
}

interface RateDialogProps extends DialogProps {
  currency: string;
  /** The rate as it was when the dialog was opened. */
  opened: Rate;
  /** The rates now. */
  rows: readonly Rate[];
}

/** Changes the amount of a rate. */
export function RateDialog({ currency, opened, rows, onDone, onClose }: RateDialogProps) {
  const current = rows.find(({ id }) => id === opened.id) ?? opened;
  const [amount, setAmount] = useState(() => amountText(opened.amount_cents, currency));
  const input = useFocusedInput<InputProps.Ref>();
  const { mutate, isPending, error } = useRateChange(current);
  const cents = parseCents(amount, currency);
  const submit = (): void => {
    if (isPending || cents === null) return;
    mutate(cents, {
      onSuccess: (rate) => {
        onClose();
        onDone(`${nameOf(rate)}: ${formatCents(rate.amount_cents, currency)}.`);
      },
    });
  };
  const fault = fieldError(error, 'amount_cents');
  return (
    <FormDialog title={`Change ${nameOf(opened)}`} send="Save" isSending={isPending} onSend={submit} onClose={onClose}>
      <AmountField
        label="Amount"
        description="Invoices that were issued keep their amounts."
        value={amount}
        currency={currency}
        inputRef={input}
        errorText={fault}
        constraintText={changedTo(
          formatCents(opened.amount_cents, currency),
          formatCents(current.amount_cents, currency),
        )}
        onChange={setAmount}
      />
      {Boolean(error) && !fault && <SaveFailure error={error} />}
    </FormDialog>
  );
}

export function RemovalDialog({ rate, onDone, onClose }: DialogProps & { rate: Rate }) {
  const { mutate, isPending, error } = useRateRemoval(rate);
  const submit = (): void =>
    mutate(undefined, {
      onSuccess: () => {
        onClose();
        onDone(`${nameOf(rate)}: the rate is removed.`);
      },
    });
  return (
    <ConfirmDialog
      title={`Remove ${nameOf(rate)}?`}
      send="Remove"
      isSending={isPending}
      error={error}
      onSend={submit}
      onClose={onClose}
    >
      Later dues runs of the term do not bill members with this status. Invoices that were issued stay.
    </ConfirmDialog>
  );
}
