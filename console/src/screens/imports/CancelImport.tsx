import Button from '@cloudscape-design/components/button';
import { useState } from 'react';
import { ConfirmDialog } from '../../parts/ConfirmDialog';
import { type Import, useCancel } from './queries';

/** Cancels an import that has not ended. */
export function CancelImport({ shown: { id } }: { shown: Import }) {
  const [asks, setAsks] = useState(false);
  const cancel = useCancel(id);
  return (
    <>
      <Button onClick={() => setAsks(true)}>Cancel the import</Button>
      {asks && (
        <ConfirmDialog
          title="Cancel the import?"
          send="Cancel the import"
          isSending={cancel.isPending}
          error={cancel.error}
          onSend={() => cancel.mutate(undefined, { onSuccess: () => setAsks(false) })}
          onClose={() => setAsks(false)}
        >
          It stops between two batches of 500 lines. Lines that are finished stay.
        </ConfirmDialog>
      )}
    </>
  );
}
