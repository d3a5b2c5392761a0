import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import { words } from '../processes/kinds';
import { DecisionDialog } from './DecisionDialog';
import { useBulkDecision } from './queries';
import type { ApprovalKind, PendingApproval, ReviewOutcome } from './queues';

interface BulkDecisionProps {
  kind: ApprovalKind;
  selected: PendingApproval[];
  onDecided: () => void;
}

type Decision = 'approve' | 'reject';

interface Decided {
  outcomes: ReviewOutcome[];
  titles: Map<string, string>;
}

/** Decides the selected requests with one decision, and shows the outcome of each. */
export function BulkDecision({ kind, selected, onDecided }: BulkDecisionProps) {
  const [decision, setDecision] = useState<Decision | null>(null);
  const [decided, setDecided] = useState<Decided | null>(null);
  const { mutate, isPending, error, reset } = useBulkDecision(kind);
  const count = selected.length;
  const submit = (notes: string): void => {
    if (!decision) return;
    mutate(
      { ids: selected.map(({ id }) => id), decision, ...(notes && { notes }) },
      {
        onSuccess: (outcomes) => {
          setDecided({ outcomes, titles: new Map(selected.map(({ id, title }) => [id, title])) });
          setDecision(null);
          onDecided();
        },
      },
    );
  };
  const ask = (chosen: Decision): void => {
    reset();
    setDecision(chosen);
  };
  return (
    <SpaceBetween size="m">
      <SpaceBetween direction="horizontal" size="xs">
        <Button disabled={count === 0} onClick={() => ask('approve')}>
          Approve selected
        </Button>
        <Button disabled={count === 0} onClick={() => ask('reject')}>
          Reject selected
        </Button>
      </SpaceBetween>
      {decided && <Outcomes {...decided} />}
      {decision && (
        <DecisionDialog
          title={`${words(decision)} ${count} ${count === 1 ? 'request' : 'requests'}?`}
          send={words(decision)}
          needsNotes={decision === 'reject'}
          isSending={isPending}
          error={error}
          onSend={submit}
          onClose={() => setDecision(null)}
        >
          <Box>Each request is decided by itself: one that is refused stops no other.</Box>
        </DecisionDialog>
      )}
    </SpaceBetween>
  );
}

function Outcomes({ outcomes, titles }: Decided) {
  const refused = outcomes.filter(({ error }) => error);
  return (
    <Alert
      type={refused.length > 0 ? 'warning' : 'success'}
      header={`${outcomes.length - refused.length} decided, ${refused.length} refused`}
    >
      <ul>
        {outcomes.map(({ id, status, error }) => (
          <li key={id}>
            {titles.get(id)}: {error ? `${error.detail} (${error.code})` : words(status ?? 'decided')}
          </li>
        ))}
      </ul>
    </Alert>
  );
}
