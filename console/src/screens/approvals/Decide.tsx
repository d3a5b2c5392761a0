import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import { words } from '../processes/kinds';
import { DecisionDialog } from './DecisionDialog';
import { useDecision } from './queries';
import { type PendingApproval, QUEUES } from './queues';
import { ReviewFields } from './ReviewFields';
import { REVIEW_FIELDS, type ReviewValues, valuesToSend } from './approvalFields';

interface DecideProps {
  approval: PendingApproval;
  /** The version that is shown: a request that has changed since is not decided. */
  version: number | undefined;
  onDecided: (status: string) => void;
}

/** The decision of a request, or the API's reason why the person may not decide it. */
export function Decide({ approval: { kind, id, may_decide, why_not, tier }, version, onDecided }: DecideProps) {
  const [decision, setDecision] = useState<string | null>(null);
  const [given, setGiven] = useState<ReviewValues>({});
  const { mutate, isPending, error, reset } = useDecision(kind, id);
  const { decline } = QUEUES[kind];
  const fields = (decision === 'approve' && REVIEW_FIELDS[kind]) || [];
  const ask = (chosen: string): void => {
    reset();
    setDecision(chosen);
  };
  const submit = (notes: string): void => {
    if (decision === null) return;
    const body = { ...valuesToSend(fields, given), decision, ...(notes && { notes }), ...(version && { version }) };
    mutate(body, {
      onSuccess: ({ status }) => {
        setDecision(null);
        onDecided(status);
      },
    });
  };
  return (
    <Container header={<Header variant="h2">Decision</Header>}>
      <SpaceBetween size="s">
        <SpaceBetween direction="horizontal" size="xs">
          <Button variant="primary" disabled={!may_decide} onClick={() => ask('approve')}>
            Approve
          </Button>
          <Button disabled={!may_decide} onClick={() => ask(decline)}>
            {words(decline)}
          </Button>
        </SpaceBetween>
        <Box color="text-body-secondary">{why_not?.detail ?? `To be decided by: ${words(tier).toLowerCase()}.`}</Box>
      </SpaceBetween>
      {decision !== null && (
        <DecisionDialog
          title={`${words(decision)} the request?`}
          send={words(decision)}
          needsNotes={decision !== 'approve'}
          isSending={isPending}
          error={error}
          onSend={submit}
          onClose={() => setDecision(null)}
        >
          {fields.length > 0 && <ReviewFields fields={fields} given={given} error={error} onChange={setGiven} />}
        </DecisionDialog>
      )}
    </Container>
  );
}
