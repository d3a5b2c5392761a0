import StatusIndicator from '@cloudscape-design/components/status-indicator';
import type { Unmatched } from './queries';

const LABELS: Readonly<Record<Unmatched['state'], string>> = {
  open: 'To be decided',
  refunding: 'Refund is pending',
  refunded: 'Refunded',
  kept_as_credit: 'Kept as credit',
};

const TYPES = { open: 'warning', refunding: 'in-progress', refunded: 'success', kept_as_credit: 'success' } as const;

export const UnmatchedState = ({ state }: Pick<Unmatched, 'state'>) => (
  <StatusIndicator type={TYPES[state]}>{LABELS[state]}</StatusIndicator>
);
