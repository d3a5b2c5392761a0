/** What an answer of the provider means. Of its words only the code is kept: it may say more than anybody should read. */
import { ProvisioningRefused, ProvisioningUnavailable } from './port.js';

interface Answered {
  name?: string;
  $metadata?: { httpStatusCode?: number };
}

const CREDENTIALS = new Set([
  'InvalidClientTokenId',
  'InvalidAccessKeyId',
  'SignatureDoesNotMatch',
  'UnrecognizedClientException',
  'ExpiredToken',
]);
/** Of what was made a moment ago, or is being changed by somebody else: it passes. */
const PASSING = new Set([
  'NoSuchEntity',
  'NoSuchEntityException',
  'NoSuchBucket',
  'ConcurrentModification',
  'ConcurrentModificationException',
  'EntityTemporarilyUnmodifiable',
  'EntityTemporarilyUnmodifiableException',
  'OperationAborted',
  'LimitExceeded',
  'LimitExceededException',
  'RequestTimeout',
  'RequestTimeTooSkewed',
]);
const THROTTLED = /Throttl|SlowDown|TooManyRequests|RequestLimitExceeded/;

const codeOf = ({ name = '' }: Answered): string => (/^[A-Za-z0-9_.]{1,60}$/.test(name) ? name : 'unknown');

/** @returns what is thrown on */
export function failureOf(error: unknown): ProvisioningRefused | ProvisioningUnavailable {
  if (error instanceof ProvisioningRefused || error instanceof ProvisioningUnavailable) return error;
  const answered = error as Answered;
  const [code, status] = [codeOf(answered), answered.$metadata?.httpStatusCode];
  if (CREDENTIALS.has(code)) return new ProvisioningRefused('credentials_refused', code);
  if (code === 'BucketAlreadyExists') return new ProvisioningRefused('bucket_taken', code);
  const passes = status === undefined || status >= 500 || status === 429 || PASSING.has(code) || THROTTLED.test(code);
  return passes ? new ProvisioningUnavailable(code) : new ProvisioningRefused('refused', code);
}

/** @param codes the provider's words for what is not there. @returns null for that @throws as failureOf says */
export async function unlessMissing<T>(asked: Promise<T>, codes: readonly string[]): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (codes.includes((error as Answered).name ?? '')) return null;
    throw failureOf(error);
  }
}

/** @throws as failureOf says */
export const asked = <T>(answer: Promise<T>): Promise<T> =>
  answer.catch((error: unknown) => {
    throw failureOf(error);
  });

export const statusOf = (error: unknown): number | undefined => (error as Answered).$metadata?.httpStatusCode;
