import StatusIndicator, { type StatusIndicatorProps } from '@cloudscape-design/components/status-indicator';
import type { ProcessRow } from './queries';

type Status = ProcessRow['status'];

export const STATUS_LABELS: Readonly<Record<Status, string>> = {
  waiting: 'Waiting to start',
  running: 'Running',
  completed: 'Completed',
  failed: 'Failed',
  cancelled: 'Cancelled',
  terminated: 'Terminated',
  timed_out: 'Timed out',
};

const TYPES: Readonly<Record<Status, StatusIndicatorProps.Type>> = {
  waiting: 'pending',
  running: 'in-progress',
  completed: 'success',
  failed: 'error',
  cancelled: 'stopped',
  terminated: 'error',
  timed_out: 'error',
};

const STUCK: Readonly<Record<NonNullable<ProcessRow['stuck_reason']>, string>> = {
  attempts: 'Stuck: a step fails again and again',
  task_failed: 'Stuck: its code fails until a new release',
  age: 'Stuck: takes longer than expected',
  no_process: 'Stuck: does not run, and will be started again',
};

export function ProcessStatus({ process }: { process: Pick<ProcessRow, 'status' | 'stuck' | 'stuck_reason'> }) {
  if (process.stuck)
    return (
      <StatusIndicator type="warning">
        <span className="words">{process.stuck_reason ? STUCK[process.stuck_reason] : 'Stuck'}</span>
      </StatusIndicator>
    );
  return (
    <StatusIndicator type={TYPES[process.status]}>
      <span className="words">{STATUS_LABELS[process.status]}</span>
    </StatusIndicator>
  );
}
