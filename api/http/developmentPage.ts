/** Pages to try something with, where there is no front end yet. Never in production. */
import { Router } from 'express';
import { config } from '../../config.js';
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

/** Serves a page and what it loads; in production there is nothing at its address. */
export function developmentPage({ PAGE, SCRIPT, STYLE }: Record<'PAGE' | 'SCRIPT' | 'STYLE', string>): Router {
  const router = Router();
  if (config.production) return router;
  const files: [path: string, type: string, text: string][] = [
    ['/', 'html', PAGE],
    ['/demo.js', 'js', SCRIPT],
    ['/style.css', 'css', STYLE],
  ];
  for (const [path, type, text] of files) {
    router.all(path, (request, response) => {
      if (request.method !== 'GET' && request.method !== 'HEAD')
        throw refuse.method_not_allowed(undefined, undefined, { Allow: 'GET, HEAD' });
      response.set({ 'Content-Security-Policy': POLICY, 'Cache-Control': 'no-cache' }).type(type).send(text);
    });
  }
  return router;
}
