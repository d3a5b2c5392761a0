/** Words for what a bulk action does, and for what was observed of each process. */
import type { StatusIndicatorProps } from '@cloudscape-design/components/status-indicator';
import { words } from '../kinds';
import type { BulkAction, BulkActionName, TargetOutcome } from './queries';

export const ACTION_LABELS: Readonly<Record<BulkActionName, string>> = { retry: 'Retry', cancel: 'Cancel' };

/** For example `3 processes`. */
export const countProcesses = (count: number): string =>
  `${count.toLocaleString()} ${count === 1 ? 'process' : 'processes'}`;

/** For example `Retry 3 processes`. */
export const titleOf = ({ action, targets }: Pick<BulkAction, 'action' | 'targets'>): string =>
  `${ACTION_LABELS[action]} ${countProcesses(targets)}`;

export const OUTCOME_LABELS: Readonly<Record<TargetOutcome, string>> = {
  completed: 'Retried and completed',
  progressed: 'Retried, and continues',
  attempted_and_failed: 'Retried, and failed again',
  attempting: 'The retry is running',
  not_attempted_yet: 'The retry is scheduled',
  cancelled: 'Cancelled',
  cancelling: 'Cancellation is requested',
  unknown: 'Requested, effect not observed',
  refused: 'Refused',
  gone: 'There is no such process',
};

export const OUTCOME_TYPES: Readonly<Record<TargetOutcome, StatusIndicatorProps.Type>> = {
  completed: 'success',
  progressed: 'success',
  attempted_and_failed: 'error',
  attempting: 'in-progress',
  not_attempted_yet: 'pending',
  cancelled: 'success',
  cancelling: 'in-progress',
  unknown: 'warning',
  refused: 'stopped',
  gone: 'stopped',
};

const REFUSALS: Readonly<Record<string, string>> = {
  gone: 'There is no such process',
  money_may_have_moved: 'Money has moved, or may have moved',
  nothing_to_retry: 'No step has failed',
  process_being_cancelled: 'It is being cancelled',
  process_changed: 'It has progressed meanwhile',
  process_finished: 'It has already ended',
  process_not_cancellable: 'A process of this kind cannot be cancelled',
  process_of_platform: 'A schedule of the platform runs it again at its next time',
};

/** Says why a process is not retried or cancelled. @param code that of the API's refusal */
export const refusalText = (code: string): string => REFUSALS[code] ?? words(code);
