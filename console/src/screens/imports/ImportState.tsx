import StatusIndicator, { type StatusIndicatorProps } from '@cloudscape-design/components/status-indicator';
import { OUTCOME_LABELS, STAGE_LABELS, STEP_LABELS } from './labels';
import type { Import } from './queries';

const TYPES: Readonly<Record<NonNullable<Import['outcome']>, StatusIndicatorProps.Type>> = {
  completed: 'success',
  completed_with_errors: 'warning',
  failed: 'error',
  cancelled: 'stopped',
  undone: 'stopped',
  stopped_right_lost: 'warning',
};

/** What an import does or waits for, or how it has ended. */
export function ImportState({ shown: { step, stage, outcome } }: { shown: Import }) {
  if (step) return <StatusIndicator type="in-progress">{STEP_LABELS[step]}</StatusIndicator>;
  if (outcome) return <StatusIndicator type={TYPES[outcome]}>{OUTCOME_LABELS[outcome]}</StatusIndicator>;
  return <StatusIndicator type="pending">{`Waits for you: ${STAGE_LABELS[stage].toLowerCase()}`}</StatusIndicator>;
}
