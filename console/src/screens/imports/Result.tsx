import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import { Announced } from '../../parts/Announced';
import { ConfirmDialog } from '../../parts/ConfirmDialog';
import { Failure } from '../../parts/Failure';
import { Time } from '../../parts/Time';
import { type Import, useInvitations, useUndo } from './queries';

/** What can be done after an import: its invitations, and its undoing. */
export function Result({ shown }: { shown: Import }) {
  const { id, step, stopped_step, rows_created, undoable_until, outcome } = shown;
  const [asks, setAsks] = useState(false);
  const invitations = useInvitations(id);
  const undo = useUndo(id);
  const hasMembers = rows_created > 0 && outcome !== 'undone';
  return (
    <Container header={<Header variant="h2">What you can do</Header>}>
      <SpaceBetween size="m">
        {invitations.isSuccess && step === null && stopped_step === null && (
          <Announced type="success" header="The invitations are mailed" />
        )}
        {hasMembers && (
          <div>
            <Button
              variant="primary"
              disabled={step !== null}
              loading={invitations.isPending}
              onClick={() => invitations.mutate()}
            >
              Send the invitations
            </Button>
            <Box color="text-body-secondary">Mails each person whom the import has added, once.</Box>
          </div>
        )}
        {undoable_until !== null && outcome !== 'undone' && (
          <div>
            <Button disabled={step !== null} onClick={() => setAsks(true)}>
              Undo the import
            </Button>
            <Box color="text-body-secondary">
              Possible until <Time at={undoable_until} />. Members who have been changed since are kept.
            </Box>
          </div>
        )}
        {!hasMembers && undoable_until === null && <Box>Nothing is left to do.</Box>}
        {invitations.error && <Failure error={invitations.error} />}
      </SpaceBetween>
      {asks && (
        <ConfirmDialog
          title="Undo the import?"
          send="Undo the import"
          isSending={undo.isPending}
          error={undo.error}
          onSend={() => undo.mutate(undefined, { onSuccess: () => setAsks(false) })}
          onClose={() => setAsks(false)}
        >
          Members whom the import has added become inactive. Others get their earlier values back.
        </ConfirmDialog>
      )}
    </Container>
  );
}
