/**
 * Translates errors of the provider. Only the error code is kept, because the text of an error may contain confidential
 * data.
 */
import { ProvisioningRefused, ProvisioningUnavailable } from './port.js';

interface SdkError {
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
/** Temporary errors: the object was just created, or another request is changing it. */
const TEMPORARY = new Set([
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

const codeOf = ({ name = '' }: SdkError): string => (/^[A-Za-z0-9_.]{1,60}$/.test(name) ? name : 'unknown');

/** Translates an error of the SDK into an error of the port. */
export function failureOf(error: unknown): ProvisioningRefused | ProvisioningUnavailable {
  if (error instanceof ProvisioningRefused || error instanceof ProvisioningUnavailable) return error;
  const answered = error as SdkError;
  const [code, status] = [codeOf(answered), answered.$metadata?.httpStatusCode];
  if (CREDENTIALS.has(code)) return new ProvisioningRefused('credentials_refused', code);
  if (code === 'BucketAlreadyExists') return new ProvisioningRefused('bucket_taken', code);
  const passes = status === undefined || status >= 500 || status === 429 || TEMPORARY.has(code) || THROTTLED.test(code);
  return passes ? new ProvisioningUnavailable(code) : new ProvisioningRefused('refused', code);
}

/**
 * Awaits a request.
 * @param codes the provider's codes for a missing object
 * @returns null if the object is missing
 * @throws the errors of `failureOf`
 */
export async function nullIfMissing<T>(request: Promise<T>, codes: readonly string[]): Promise<T | null> {
  try {
    return await request;
  } catch (error) {
    if (codes.includes((error as SdkError).name ?? '')) return null;
    throw failureOf(error);
  }
}

/**
 * Awaits a request.
 * @throws the errors of `failureOf`
 */
export const callProvider = <T>(answer: Promise<T>): Promise<T> =>
  answer.catch((error: unknown) => {
    throw failureOf(error);
  });

export const statusOf = (error: unknown): number | undefined => (error as SdkError).$metadata?.httpStatusCode;
