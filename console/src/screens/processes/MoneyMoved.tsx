import StatusIndicator from '@cloudscape-design/components/status-indicator';
import type { Process } from './queries';

type Moved = Process['money_moved'];

export const MONEY_LABELS: Readonly<Record<Moved, string>> = {
  yes: 'Money has moved',
  no: 'No money has moved',
  unknown: 'Money may have moved',
};
const TYPES = { yes: 'info', no: 'success', unknown: 'warning' } as const;

export const MoneyMoved = ({ moved }: { moved: Moved }) => (
  <StatusIndicator type={TYPES[moved]}>
    <span className="words">{MONEY_LABELS[moved]}</span>
  </StatusIndicator>
);
