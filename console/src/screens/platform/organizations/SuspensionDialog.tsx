import { ConfirmDialog } from '../../../parts/ConfirmDialog';
import { type Organization, useSuspension } from './queries';

interface SuspensionDialogProps {
  organization: Organization;
  /** Gets a sentence that says what has happened. */
  onDone: (outcome: string) => void;
  onClose: () => void;
}

/** Asks whether to suspend an active organization, or to reactivate a suspended one. */
export function SuspensionDialog({ organization, onDone, onClose }: SuspensionDialogProps) {
  const { mutate, isPending, error } = useSuspension(organization);
  const submit = (): void =>
    mutate(undefined, {
      onSuccess: ({ name, is_active }) => {
        onClose();
        onDone(`${name} is ${is_active ? 'active' : 'suspended'}.`);
      },
    });
  return (
    <ConfirmDialog
      title={`${organization.is_active ? 'Suspend' : 'Reactivate'} ${organization.name}?`}
      send={organization.is_active ? 'Suspend' : 'Reactivate'}
      isSending={isPending}
      error={error}
      onSend={submit}
      onClose={onClose}
    >
      {organization.is_active
        ? 'All its sessions end. No one can sign in to it until it is reactivated.'
        : 'Its people can sign in again.'}
    </ConfirmDialog>
  );
}
