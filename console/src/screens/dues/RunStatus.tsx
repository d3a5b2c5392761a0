import StatusIndicator from '@cloudscape-design/components/status-indicator';
import type { DuesRun } from './queries';

export const RUN_LABELS: Readonly<Record<DuesRun['status'], string>> = {
  running: 'Running',
  completed: 'Completed',
  failed: 'Failed',
  cancelled: 'Cancelled',
  stopped_right_lost: 'Stopped: its starter lost the right',
};
const TYPES = {
  running: 'in-progress',
  completed: 'success',
  failed: 'error',
  cancelled: 'stopped',
  stopped_right_lost: 'stopped',
} as const;

export const RunStatus = ({ status }: Pick<DuesRun, 'status'>) => (
  <StatusIndicator type={TYPES[status]}>{RUN_LABELS[status]}</StatusIndicator>
);
