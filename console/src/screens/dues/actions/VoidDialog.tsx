import { ReasonDialog } from '../../../parts/ReasonDialog';
import type { Invoice } from '../queries';
import { ACTIONS, type Outcome } from './actions';
import { useVoiding } from './queries';

export interface ActionDialogProps {
  invoice: Invoice;
  onDone: (outcome: Outcome) => void;
  onClose: () => void;
}

export function VoidDialog({ invoice: { id }, onDone, onClose }: ActionDialogProps) {
  const { mutate, isPending, error } = useVoiding(id);
  return (
    <ReasonDialog
      title="Void the invoice?"
      send="Void"
      isSending={isPending}
      error={error}
      onSend={(reason) =>
        mutate({ reason }, { onSuccess: () => onDone({ type: 'success', text: 'The invoice is void.' }) })
      }
      onClose={onClose}
    >
      {ACTIONS.void.effect}
    </ReasonDialog>
  );
}
