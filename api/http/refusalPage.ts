/** Answers refusals with pages, on routes that people open in a browser. */
import type { ErrorRequestHandler } from 'express';
import { withRequestLimits } from '../../models/database/connectionQuota.js';
import { log } from '../../models/log.js';
import { logFailure, refusalOf } from './errorHandler.js';
import { anonymousClientOf } from './quotaKey.js';
import { requestFacts } from './requestFacts.js';
import type { Route } from './routes.js';

/**
 * Answers a refusal with the page that the route renders. If rendering the page fails, the failure is answered as on
 * other routes.
 */
export function answerRefusalPage({ spec: { refusalPage } }: Route): ErrorRequestHandler[] {
  if (!refusalPage) return [];
  return [
    async (error: unknown, request, response, next) => {
      if (response.headersSent) return next(error);
      const refusal = refusalOf(error);
      try {
        // The error may come from the connection quota, before the route ran.
        const { extra } = await withRequestLimits(anonymousClientOf(request), async () =>
          refusalPage(refusal, requestFacts(request)),
        );
        response.set({ 'Cache-Control': 'no-store', ...refusal.headers, ...extra.headers });
        response.status(extra.status ?? refusal.status).end(extra.text);
      } catch (failure) {
        log.warn({ err: failure }, 'the page of a refusal was not rendered');
        return next(error);
      }
      logFailure(error, refusal, request);
    },
  ];
}
