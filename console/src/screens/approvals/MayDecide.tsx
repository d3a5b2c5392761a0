import StatusIndicator from '@cloudscape-design/components/status-indicator';
import type { PendingApproval } from './queues';

/** Whether the person may decide a request, or the API's reason why not. */
export const MayDecide = ({ request: { may_decide, why_not } }: { request: PendingApproval }) =>
  may_decide ? (
    <StatusIndicator type="success">May decide</StatusIndicator>
  ) : (
    <StatusIndicator type="stopped">{why_not?.detail ?? 'May not decide'}</StatusIndicator>
  );
