import FormField from '@cloudscape-design/components/form-field';
import Select, { type SelectProps } from '@cloudscape-design/components/select';
import { useState } from 'react';
import { AmountField } from '../../parts/AmountField';
import { formatCents, parseCents } from '../../parts/Cents';
import { Failure, fieldError } from '../../parts/Failure';
import { FormDialog } from '../../parts/FormDialog';
import { useFocusedInput } from '../../parts/useFocusedInput';
import { useTerms } from '../dues/queries';
import { STATUS_LABELS } from '../members/labels';
import { nameOf } from './nameOf';
import { type Rate, useNewRate } from './queries';

const STATUSES = Object.entries(STATUS_LABELS).map(([value, label]) => ({ value, label }));
const FIELDS = ['term', 'status', 'amount_cents'];

interface NewRateProps {
  currency: string;
  onDone: (outcome: string) => void;
  onClose: () => void;
}

/** Sets what members with a status owe in a term. */
export function NewRate({ currency, onDone, onClose }: NewRateProps) {
  const terms = useTerms().data?.map(({ id, name }) => ({ value: id, label: name })) ?? [];
  const [term, setTerm] = useState<SelectProps.Option | null>(null);
  const [status, setStatus] = useState<SelectProps.Option | null>(null);
  const [amount, setAmount] = useState('');
  const first = useFocusedInput<SelectProps.Ref>();
  const { mutate, isPending, error } = useNewRate();
  const submit = (): void => {
    const amount_cents = parseCents(amount, currency);
    if (isPending || amount_cents === null) return;
    const chosen = { term: term?.value ?? '', status: (status?.value ?? '') as Rate['status'], amount_cents };
    mutate(chosen, {
      onSuccess: (rate) => {
        onClose();
        onDone(`${nameOf(rate)}: ${formatCents(rate.amount_cents, currency)}.`);
      },
    });
  };
  const fault = (field: string, isEmpty: boolean, text: string): string | undefined => {
    const refused = fieldError(error, field);
    return refused && isEmpty ? text : refused;
  };
  const isAtField = FIELDS.some((field) => fieldError(error, field) !== undefined);
  return (
    <FormDialog title="New rate" send="Save" isSending={isPending} onSend={submit} onClose={onClose}>
      <FormField label="Term" errorText={fault('term', term === null, 'Choose a term.')} stretch>
        <Select
          ref={first}
          options={terms}
          selectedOption={term}
          placeholder="Choose a term"
          empty="The organization has no term."
          onChange={({ detail }) => setTerm(detail.selectedOption)}
        />
      </FormField>
      <FormField label="Status" errorText={fault('status', status === null, 'Choose a status.')} stretch>
        <Select
          options={STATUSES}
          selectedOption={status}
          placeholder="Choose a status"
          onChange={({ detail }) => setStatus(detail.selectedOption)}
        />
      </FormField>
      <AmountField
        label="Amount"
        value={amount}
        currency={currency}
        errorText={fault('amount_cents', amount.trim() === '', 'Type an amount.')}
        onChange={setAmount}
      />
      {Boolean(error) && !isAtField && <Failure error={error} />}
    </FormDialog>
  );
}
