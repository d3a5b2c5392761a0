/** Refusals, shaped as Stripe answers them. */
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
  /** `stored`: the endpoint had begun to execute, so the refusal is kept under the idempotency key. */
  constructor(
    readonly status: number,
    readonly body: ErrorBody,
    readonly stored = false,
  ) {
    super(body.message);
  }
}

/** The page that explains an error code. */
export function docUrl(code: string): string {
  return `https://docs.stripe.com/error-codes/${code.replaceAll('_', '-')}`;
}

/** A 400 found before anything was executed. */
export function invalidRequest(message: string, details: { param?: string; code?: string } = {}): ApiError {
  const doc = details.code === undefined ? {} : { doc_url: docUrl(details.code) };
  return new ApiError(400, { type: 'invalid_request_error', message, ...details, ...doc });
}

/** A 400 caused by the state of the objects, hence kept under the idempotency key. */
export function refusedByState(message: string, details: Omit<ErrorBody, 'type' | 'message'> = {}): ApiError {
  const doc = details.code === undefined ? {} : { doc_url: docUrl(details.code) };
  return new ApiError(400, { type: 'invalid_request_error', message, ...details, ...doc }, true);
}

/** An identifier that names nothing the account can see: 404 in the path, 400 in a parameter. */
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

/** A request whose key is missing, malformed or revoked. */
export function unauthenticated(message: string): ApiError {
  return new ApiError(401, { type: 'invalid_request_error', message });
}

/** A restricted key that lacks a right. */
export function notPermitted(): ApiError {
  const message = 'The provided key does not have the required permissions for this endpoint.';
  return new ApiError(403, { type: 'invalid_request_error', message });
}
