/** Parses bodies: bytes first, then strict UTF-8 and JSON, so that each fault gets its own error response. */
import express, { type Request, type RequestHandler } from 'express';
import { config } from '../../config.js';
import { refuse } from '../../models/errors.js';
import { httpErrors } from './errorHandler.js';

/** Reads any body as bytes, up to the limit. */
export const readBytes: RequestHandler = express.raw({
  type: () => true,
  limit: config.BODY_LIMIT_BYTES,
  inflate: true,
});

const MAX_ADDRESS = 8_000;

/** Refuses addresses longer than any route, and bytes that no address may contain. */
export const refuseUnreadableAddress: RequestHandler = (request, _response, next) => {
  if (request.originalUrl.length > MAX_ADDRESS) throw httpErrors.uri_too_long();
  if (request.headers.host === undefined && request.httpVersion === '1.1') {
    throw httpErrors.malformed_request('The Host header is missing.');
  }
  if (/[^\x21-\x7e]/.test(request.originalUrl)) throw refuse.invalid_encoding();
  next();
};

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Parses the body of a request.
 * @returns the parsed JSON body, `undefined` when there is none.
 * @throws Refusal 400 or 415
 */
export function parseJson(request: Request): unknown {
  const bytes = request.body as Buffer | undefined;
  if (!Buffer.isBuffer(bytes) || bytes.length === 0) return undefined;
  if (!request.is('application/json')) throw refuse.unsupported_media_type();
  const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(request.headers['content-type'] ?? '')?.[1];
  if (charset && !/^utf-?8$/i.test(charset)) throw refuse.unsupported_media_type('Send application/json in UTF-8.');
  let text: string;
  try {
    text = UTF8.decode(bytes);
  } catch {
    throw refuse.invalid_encoding();
  }
  try {
    return JSON.parse(text);
  } catch {
    throw refuse.malformed_json();
  }
}

/** Parses the raw query into texts. @throws Refusal invalid_encoding */
export function parseQuery(url: string): Record<string, string | string[]> {
  const at = url.indexOf('?');
  if (at < 0) return {};
  const raw = url.slice(at + 1);
  try {
    decodeURIComponent(raw.replaceAll('+', ' '));
  } catch {
    throw refuse.invalid_encoding();
  }
  const parsed: Record<string, string | string[]> = {};
  for (const [name, value] of new URLSearchParams(raw)) {
    const before = Object.hasOwn(parsed, name) ? parsed[name] : undefined;
    Object.defineProperty(parsed, name, {
      value: before === undefined ? value : [before, value].flat(),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return parsed;
}
