import Alert, { type AlertProps } from '@cloudscape-design/components/alert';
import { useEffect, useRef } from 'react';
import type { CancelResult, RetryResult } from './queries';

type Result = RetryResult | CancelResult;

const TYPES: Readonly<Record<Result['outcome'], AlertProps.Type>> = {
  completed: 'success',
  progressed: 'success',
  cancelled: 'success',
  attempted_and_failed: 'error',
  attempting: 'info',
  not_attempted_yet: 'info',
  cancelling: 'info',
  unknown: 'warning',
};

/** What the API has observed after an action. The state below goes on to be updated. */
export function Outcome({ result }: { result: Result }) {
  const alert = useRef<AlertProps.Ref>(null);
  // Also a second result of the same kind is announced.
  useEffect(() => alert.current?.focus(), [result]);
  const { detail, process, outcome } = result;
  return (
    <Alert ref={alert} type={TYPES[outcome]} header={detail}>
      {outcome === 'attempted_and_failed' && process.last_failure?.detail}
    </Alert>
  );
}
