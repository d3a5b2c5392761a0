/** What went wrong, by kind alone: messages and stacks of failures stay in Temporal. */
import type { temporal as protobuf } from '@temporalio/proto';
import { openPayload } from '../codec.js';

type Failure = protobuf.api.failure.v1.IFailure;

/** The name of an error of ours, or of what Temporal itself found. */
export interface FailureKind {
  type: string;
}

const TIMEOUTS: Record<number, string> = {
  1: 'StepTooLong',
  2: 'StepNotTaken',
  3: 'StepTooLong',
  4: 'WorkerLost',
};

/** Drivers throw plain errors when a connection is gone; the message is looked at here, and goes no further. */
const DATABASE_AWAY = /^Sequelize(Connection|Host|InvalidConnection|AccessDenied)/;
const CONNECTION_GONE =
  /connection (terminated|error)|ECONNREFUSED|ECONNRESET|not queryable|shutting down|starting up/i;

function ofApplication(type: string, message: string): string {
  const plain = type === '' || type === 'Error' || type === 'error' || type === 'AggregateError';
  return DATABASE_AWAY.test(type) || (plain && CONNECTION_GONE.test(message)) ? 'DatabaseAway' : type || 'Unknown';
}

/** @returns the innermost kind that is not merely 'a step failed' */
export async function failureKind(failure: Failure | null | undefined): Promise<FailureKind | null> {
  if (!failure) return null;
  if (failure.activityFailureInfo || failure.childWorkflowExecutionFailureInfo) {
    return (await failureKind(failure.cause)) ?? { type: 'Unknown' };
  }
  if (failure.timeoutFailureInfo)
    return { type: TIMEOUTS[failure.timeoutFailureInfo.timeoutType ?? 0] ?? 'StepTooLong' };
  return { type: ofApplication(failure.applicationFailureInfo?.type ?? '', await messageOf(failure)) };
}

/** With a payload key, messages are encrypted. */
async function messageOf({ message, encodedAttributes }: Failure): Promise<string> {
  const opened = encodedAttributes ? await openPayload(encodedAttributes) : { message };
  const said = (opened as { message?: unknown } | null)?.message;
  return typeof said === 'string' ? said : '';
}
