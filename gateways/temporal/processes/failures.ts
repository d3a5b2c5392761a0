/** Determines the kind of a failure. The message and the stack of the failure stay in Temporal. */
import type { temporal as protobuf } from '@temporalio/proto';
import { decodePayload } from '../codec.js';

type Failure = protobuf.api.failure.v1.IFailure;

/** The name of one of our error classes, or of a failure that Temporal detected. */
export interface FailureKind {
  type: string;
}

const TIMEOUTS: Record<number, string> = {
  1: 'StepTooLong',
  2: 'StepNotTaken',
  3: 'StepTooLong',
  4: 'WorkerLost',
};

/** Database drivers throw plain errors when a connection is lost. The message is matched here, and not passed on. */
const DATABASE_UNAVAILABLE = /^Sequelize(Connection|Host|InvalidConnection|AccessDenied)/;
const CONNECTION_LOST =
  /connection (terminated|error)|ECONNREFUSED|ECONNRESET|not queryable|shutting down|starting up/i;

function ofApplication(type: string, message: string): string {
  const plain = type === '' || type === 'Error' || type === 'error' || type === 'AggregateError';
  return DATABASE_UNAVAILABLE.test(type) || (plain && CONNECTION_LOST.test(message))
    ? 'DatabaseAway'
    : type || 'Unknown';
}

/** Returns the innermost kind that is more specific than 'an activity failed'. */
export async function failureKind(failure: Failure | null | undefined): Promise<FailureKind | null> {
  if (!failure) return null;
  if (failure.activityFailureInfo || failure.childWorkflowExecutionFailureInfo) {
    return (await failureKind(failure.cause)) ?? { type: 'Unknown' };
  }
  if (failure.timeoutFailureInfo)
    return { type: TIMEOUTS[failure.timeoutFailureInfo.timeoutType ?? 0] ?? 'StepTooLong' };
  return { type: ofApplication(failure.applicationFailureInfo?.type ?? '', await messageOf(failure)) };
}

/** Returns the message, which is encrypted if there is a payload key. */
async function messageOf({ message, encodedAttributes }: Failure): Promise<string> {
  const attributes = encodedAttributes ? await decodePayload(encodedAttributes) : { message };
  const decodedMessage = (attributes as { message?: unknown } | null)?.message;
  return typeof decodedMessage === 'string' ? decodedMessage : '';
}
