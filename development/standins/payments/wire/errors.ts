/** Errors in Stripe's format. */
import type Stripe from 'stripe';

export interface ErrorBody {
  type: 'invalid_request_error' | 'card_error' | 'idempotency_error' | 'api_error';
  message: string;
  code?: string;
  decline_code?: string;
  advice_code?: string;
  param?: string;
  doc_url?: string;
  charge?: string;
  payment_intent?: Stripe.PaymentIntent;
  payment_method?: Stripe.PaymentMethod;
}

export class ApiError extends Error {
  /** @param stored true if the request had begun to execute; the error is then stored under the idempotency key */
  constructor(
    readonly status: number,
    readonly body: ErrorBody,
    readonly stored = false,
  ) {
    super(body.message);
  }
}

/** Returns the page that explains an error code. */
export function docUrl(code: string): string {
  return `https://docs.stripe.com/error-codes/${code.replaceAll('_', '-')}`;
}

/** Returns a 400 for a request that was refused before execution. */
export function invalidRequest(message: string, details: { param?: string; code?: string } = {}): ApiError {
  const doc = details.code === undefined ? {} : { doc_url: docUrl(details.code) };
  return new ApiError(400, { type: 'invalid_request_error', message, ...details, ...doc });
}

/** Returns a 400 that depends on the state of objects, and is therefore stored under the idempotency key. */
export function refusedByState(message: string, details: Omit<ErrorBody, 'type' | 'message'> = {}): ApiError {
  const doc = details.code === undefined ? {} : { doc_url: docUrl(details.code) };
  return new ApiError(400, { type: 'invalid_request_error', message, ...details, ...doc }, true);
}

/** Returns the error for an id that the account cannot see: 404 in the path, 400 in a parameter. */
export function noSuch(kind: string, id: string, param?: string): ApiError {
  const body: ErrorBody = {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${kind}: '${id}'`,
    param: param ?? 'id',
    doc_url: docUrl('resource_missing'),
  };
  return new ApiError(param === undefined ? 404 : 400, body);
}

/** Returns the error for a missing, malformed or revoked key. */
export function unauthenticated(message: string): ApiError {
  return new ApiError(401, { type: 'invalid_request_error', message });
}

/** Returns the error for a restricted key without the needed permission. */
export function notPermitted(): ApiError {
  const message = 'The provided key does not have the required permissions for this endpoint.';
  return new ApiError(403, { type: 'invalid_request_error', message });
}
