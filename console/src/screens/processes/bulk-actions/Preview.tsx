import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import { ReasonDialog } from '../../../parts/ReasonDialog';
import { useScreens } from '../../../parts/useScreens';
import { words } from '../kinds';
import { MONEY_LABELS } from '../MoneyMoved';
import { type BulkActionName, type BulkActionPreview, useConfirmation } from './queries';
import { ACTION_LABELS, countProcesses, titleOf } from './words';

interface PreviewProps {
  preview: BulkActionPreview;
  /** The preview is being loaded again. */
  isLoading: boolean;
  onStale: () => void;
}

/** How many processes a bulk action would retry or cancel: by whether money has moved, and by kind. */
export function Preview({ preview, isLoading, onStale }: PreviewProps) {
  const [isAsking, setAsking] = useState(false);
  const { action, ids, by_kind, by_money_moved, complete } = preview;
  const title = titleOf({ action, targets: ids.length });
  return (
    <Container header={<Header variant="h2">Preview</Header>}>
      <SpaceBetween size="m">
        {ids.length === 0 ? (
          <Alert type="info">There is nothing to {action}.</Alert>
        ) : (
          <Button variant="primary" loading={isLoading} onClick={() => setAsking(true)}>
            {title}
          </Button>
        )}
        {!complete && (
          <Alert type="warning">
            More processes match the filter than one bulk action takes. Repeat it for the others.
          </Alert>
        )}
        <KeyValuePairs
          columns={4}
          items={[
            { label: 'Processes', value: ids.length.toLocaleString() },
            ...(['yes', 'unknown', 'no'] as const).map((moved) => ({
              label: MONEY_LABELS[moved],
              value: by_money_moved[moved].toLocaleString(),
            })),
          ]}
        />
        {by_kind.length > 0 && (
          <KeyValuePairs
            columns={4}
            items={by_kind.map(({ kind, count }) => ({ label: words(kind), value: count.toLocaleString() }))}
          />
        )}
      </SpaceBetween>
      {isAsking && <Confirm title={title} preview={preview} onStale={onStale} onClose={() => setAsking(false)} />}
    </Container>
  );
}

const EXPLANATIONS: Readonly<Record<BulkActionName, string>> = {
  retry: 'Each process is retried once. Steps that are done are not repeated.',
  cancel: 'Each process is cancelled once. A process whose money has or may have moved meanwhile is refused.',
};

interface ConfirmProps {
  title: string;
  preview: BulkActionPreview;
  onStale: () => void;
  onClose: () => void;
}

function Confirm({ title, preview, onStale, onClose }: ConfirmProps) {
  const { open } = useScreens();
  const { action, by_money_moved } = preview;
  const { mutate, isPending, error } = useConfirmation(preview, {
    onStarted: (id) => open(`/console/processes/bulk-actions/${id}`),
    onStale: () => {
      onClose();
      onStale();
    },
  });
  const moving = by_money_moved.yes + by_money_moved.unknown;
  return (
    <ReasonDialog
      title={`${title}?`}
      send={ACTION_LABELS[action]}
      isSending={isPending}
      error={error}
      onSend={mutate}
      onClose={onClose}
    >
      {EXPLANATIONS[action]}
      {moving > 0 && ` Money has moved or may have moved in ${countProcesses(moving)}.`}
    </ReasonDialog>
  );
}
