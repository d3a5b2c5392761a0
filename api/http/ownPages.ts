/** Headers of every HTML page: it loads only own assets and sends no referrer. */
import type { Request, RequestHandler, Response } from 'express';
import { refuse } from '../../models/errors.js';

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** A page that only answers GET and HEAD. @param caching value of `Cache-Control` */
export const ownPage =
  (
    type: string,
    text: string | ((request: Request) => string),
    caching: (request: Request) => string,
  ): RequestHandler =>
  (request: Request, response: Response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD')
      throw refuse.method_not_allowed(undefined, undefined, { Allow: 'GET, HEAD' });
    response
      .set({
        'Content-Security-Policy': POLICY,
        'Cache-Control': caching(request),
        'Cross-Origin-Opener-Policy': 'same-origin',
        'Referrer-Policy': 'no-referrer',
      })
      .type(type)
      .send(typeof text === 'string' ? text : text(request));
  };
