/** Converts every failure to an error response: `{detail, code, errors?}`, without internals. */
import type { ErrorRequestHandler, Request, RequestHandler } from 'express';
import { translateDatabaseError } from '../../models/database/constraints.js';
import { defineErrors, Refusal, refuse } from '../../models/errors.js';
import { log } from '../../models/log.js';

export const httpErrors = defineErrors({
  malformed_request: [400, 'The request is malformed, so the server cannot read it.'],
  request_timeout: [408, 'The request took too long to arrive.'],
  uri_too_long: [414, 'The URL is too long.'],
  headers_too_large: [431, 'The headers are too large.'],
});

/** Failures by the type that Express and its body parser set. */
const BY_TYPE: Record<string, () => Refusal> = {
  'entity.too.large': () => refuse.body_too_large(),
  'encoding.unsupported': () => refuse.unsupported_media_type('This content encoding is not supported.'),
  'request.aborted': () =>
    httpErrors.malformed_request('The request ended before its whole body arrived. Send it again.'),
  'request.size.invalid': () => httpErrors.malformed_request('The body is not as long as Content-Length says.'),
};

/** Returns the refusal with which any thrown value is reported. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  const { type, status } = (error ?? {}) as { type?: string; status?: number };
  const translate = type === undefined ? undefined : BY_TYPE[type];
  if (translate) return translate();
  // Express could not decode the path.
  if (error instanceof URIError) return refuse.invalid_encoding();
  const translated = translateDatabaseError(error);
  if (translated) return translated;
  // The body parser could not decompress the body.
  if (error instanceof Error && status === 400) return httpErrors.malformed_request();
  return refuse.server_error();
}

export const bodyOf = ({ message, code, errors }: Refusal) => ({ detail: message, code, ...(errors && { errors }) });

/** Refuses requests to addresses without a route. */
export const notFound: RequestHandler = () => {
  throw refuse.not_found();
};

/** Logs failures with a status of 500 or more. */
export function logFailure(error: unknown, { status, code }: Refusal, request: Request): void {
  if (status < 500) return;
  const { id } = request as unknown as { id: string };
  log.error({ err: error, requestId: id, method: request.method, code }, 'request failed');
}

export const errorHandler: ErrorRequestHandler = (error: unknown, request, response, _next) => {
  const refusal = refusalOf(error);
  logFailure(error, refusal, request);
  // A response has begun already: cutting the connection is the only way to report the failure.
  if (response.headersSent) response.destroy();
  else response.set(refusal.headers).status(refusal.status).json(bodyOf(refusal));
};
