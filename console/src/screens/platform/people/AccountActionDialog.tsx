import { useState } from 'react';
import { ConfirmDialog } from '../../../parts/ConfirmDialog';
import { fieldError } from '../../../parts/Failure';
import { ReasonDialog } from '../../../parts/ReasonDialog';
import { type AccountAction, useAccountAction } from './queries';

export const ACTION_LABELS: Readonly<Record<AccountAction, string>> = {
  disable: 'Disable the account',
  enable: 'Enable the account',
  grant: 'Grant platform admin rights',
  revoke: 'Revoke platform admin rights',
};
const EFFECTS: Readonly<Record<AccountAction, string>> = {
  disable: 'All sessions of the person end. The person cannot sign in until the account is enabled.',
  enable: 'The person can sign in again.',
  grant: 'The person may change every organization. All sessions of the person end: the person signs in again.',
  revoke: 'All sessions of the person end.',
};
const OUTCOMES: Readonly<Record<AccountAction, string>> = {
  disable: 'account is disabled.',
  enable: 'account is enabled.',
  grant: 'rights are granted.',
  revoke: 'rights are revoked.',
};

interface AccountActionDialogProps {
  person: { id: string; name: string };
  action: AccountAction;
  /** Gets a sentence that says what has happened. */
  onDone: (outcome: string) => void;
  onClose: () => void;
}

/** Asks whether to change an account, and for a reason if the API needs one. */
export function AccountActionDialog({ person: { id, name }, action, onDone, onClose }: AccountActionDialogProps) {
  const { mutate, isPending, error } = useAccountAction(id, action);
  const [refusal, setRefusal] = useState<Error | null>(null);
  const submit = (reason?: string): void =>
    mutate(reason, {
      onSuccess: () => {
        onClose();
        onDone(`${name}: the ${OUTCOMES[action]}`);
      },
      onError: (cause) => {
        if (leavesNoAdmin(cause)) setRefusal(cause);
      },
    });
  const dialog = { title: `${name}: ${ACTION_LABELS[action].toLowerCase()}?`, isSending: isPending, onClose };
  if (refusal)
    return (
      <ReasonDialog
        {...dialog}
        send="Leave them without an admin"
        error={leavesNoAdmin(error) ? null : error}
        onSend={submit}
      >
        {refusal.message}
      </ReasonDialog>
    );
  return (
    <ConfirmDialog {...dialog} send={ACTION_LABELS[action]} error={error} onSend={() => submit()}>
      {EFFECTS[action]}
    </ConfirmDialog>
  );
}

/** Whether the request needs a reason, because the person is the only admin of the organizations that the refusal names. */
const leavesNoAdmin = (error: unknown): boolean => fieldError(error, 'organizations') !== undefined;
