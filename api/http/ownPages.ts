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
];

interface PageOptions {
  /** Whether the page loads pictures of this origin, for example its icon. */
  hasImages?: boolean;
}

/** Sets the headers of a page or of its asset. @param caching value of `Cache-Control` */
export const setPageHeaders = (response: Response, caching: string, { hasImages }: PageOptions = {}): Response =>
  response.set({
    'Content-Security-Policy': [...POLICY, ...(hasImages ? ["img-src 'self'"] : [])].join('; '),
    'Cache-Control': caching,
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Referrer-Policy': 'no-referrer',
  });

/** @throws Refusal method_not_allowed for a request that is neither GET nor HEAD */
export function requireReading({ method }: Request): void {
  if (method !== 'GET' && method !== 'HEAD')
    throw refuse.method_not_allowed(undefined, undefined, { Allow: 'GET, HEAD' });
}

/** A page that only answers GET and HEAD. @param caching value of `Cache-Control` */
export const ownPage =
  (
    type: string,
    text: string | ((request: Request) => string),
    caching: (request: Request) => string,
    options: PageOptions = {},
  ): RequestHandler =>
  (request: Request, response: Response) => {
    requireReading(request);
    setPageHeaders(response, caching(request), options)
      .type(type)
      .send(typeof text === 'string' ? text : text(request));
  };
