import StatusIndicator, { type StatusIndicatorProps } from '@cloudscape-design/components/status-indicator';
import type { BulkAction } from './queries';

type Status = BulkAction['status'];

const LABELS: Readonly<Record<Status, string>> = {
  running: 'Running',
  stopping: 'Stopping',
  done: 'Done',
  stopped: 'Stopped',
  stopped_right_lost: 'Stopped: its starter lost the right',
};

const TYPES: Readonly<Record<Status, StatusIndicatorProps.Type>> = {
  running: 'in-progress',
  stopping: 'in-progress',
  done: 'success',
  stopped: 'stopped',
  stopped_right_lost: 'stopped',
};

export const BulkActionStatus = ({ status }: { status: Status }) => (
  <StatusIndicator type={TYPES[status]}>{LABELS[status]}</StatusIndicator>
);
