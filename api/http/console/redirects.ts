/** Redirects the pages to which notifications and their mails link to the same path below `/console`. */
import { type RequestHandler, Router } from 'express';
import { requireReading, setPageHeaders } from '../ownPages.js';

/** Further pages of the front end to which mails and payment pages lead. */
const FURTHER_PATHS = ['/notifications', '/settings/notifications', '/billing/invoices'];

/**
 * First words of paths in which the database fills in the page (`{page}`): money cases, unmatched payments and
 * disputes, also of the foundation.
 */
const FILLED_IN = ['money-cases', 'unmatched-payments', 'disputes', 'foundation'];

/** @param paths paths of notification types, for example `/invoices/{subject}` */
export function redirectsToScreens(paths: readonly string[]): Router {
  const firstWords = [...paths, ...FURTHER_PATHS].map((path) => /^\/([a-z-]*)/.exec(path)?.[1] ?? '');
  const router = Router({ caseSensitive: true });
  for (const word of new Set([...firstWords, ...FILLED_IN]))
    router.all(word === '' ? '/' : [`/${word}`, `/${word}/*rest`], redirect);
  return router;
}

const redirect: RequestHandler = (request, response) => {
  requireReading(request);
  setPageHeaders(response, 'no-store').redirect(302, `/console${request.originalUrl}`);
};
