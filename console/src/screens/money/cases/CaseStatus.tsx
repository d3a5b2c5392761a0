import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { RESOLUTIONS } from './kinds';
import type { CaseRow } from './queries';

export const STATUS_LABELS: Readonly<Record<CaseRow['status'], string>> = { open: 'Open', closed: 'Closed' };

export const CaseStatus = ({ status, resolution }: Pick<CaseRow, 'status' | 'resolution'>) =>
  status === 'open' ? (
    <StatusIndicator type="warning">Open</StatusIndicator>
  ) : (
    <StatusIndicator type="success">{resolution ? RESOLUTIONS[resolution] : 'Closed'}</StatusIndicator>
  );
