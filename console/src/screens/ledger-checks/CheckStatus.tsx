import StatusIndicator from '@cloudscape-design/components/status-indicator';
import type { LedgerCheck } from './queries';

export const CHECK_LABELS: Readonly<Record<LedgerCheck['status'], string>> = {
  running: 'Running',
  passed: 'Passed',
  failed: 'Failed',
  cancelled: 'Cancelled',
};
const TYPES = { running: 'in-progress', passed: 'success', failed: 'error', cancelled: 'stopped' } as const;

export const CheckStatus = ({ status }: Pick<LedgerCheck, 'status'>) => (
  <StatusIndicator type={TYPES[status]}>{CHECK_LABELS[status]}</StatusIndicator>
);
