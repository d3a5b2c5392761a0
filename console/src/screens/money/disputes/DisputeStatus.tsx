import StatusIndicator from '@cloudscape-design/components/status-indicator';
import type { Dispute } from './queries';

export const STATUS_LABELS: Readonly<Record<Dispute['status'], string>> = { open: 'Open', won: 'Won', lost: 'Lost' };

const TYPES = { open: 'warning', won: 'success', lost: 'error' } as const;

export const DisputeStatus = ({ status }: Pick<Dispute, 'status'>) => (
  <StatusIndicator type={TYPES[status]}>{STATUS_LABELS[status]}</StatusIndicator>
);
