/** Request ids, and one log line and one measurement per request. */
import type { Request, RequestHandler, Response } from 'express';
import { log } from '../../models/log.js';
import type { Person } from '../../models/identity/Actor.js';
import { claimsOf } from './authentication.js';
import { countRequest, inFlight } from './metrics.js';
import { requestIdOf } from './requestFacts.js';

/** Takes the client's X-Request-Id, or makes one, and returns it in the response. */
export const identifyRequest: RequestHandler = (request, response, next) => {
  const id = requestIdOf(request.headers['x-request-id']);
  (request as Request & { id: string }).id = id;
  response.setHeader('X-Request-Id', id);
  next();
};

/** Logs and measures each request once, when its response is sent or its client has disconnected. */
export const logRequest: RequestHandler = (request, response, next) => {
  const started = performance.now();
  inFlight.inc();
  response.once('close', () => {
    const duration = performance.now() - started;
    const facts = factsOf(request, response, duration);
    inFlight.dec();
    countRequest(facts.method, facts.route, facts.status, duration);
    if (response.statusCode >= 500) log.error(facts, 'request');
    else if (/^\/(healthz|readyz)\b/.test(request.path)) log.debug(facts, 'request');
    else log.info(facts, 'request');
  });
  next();
};

function factsOf(request: Request, response: Response, durationMs: number) {
  const actor = response.locals['actor'] as Person | undefined;
  const { path } = (request.route ?? {}) as { path?: string };
  return {
    requestId: (request as Request & { id: string }).id,
    organizationId: actor?.facts.organization_id ?? undefined,
    userId: actor?.userId ?? claimsOf(request)?.sub,
    // The administrator who impersonates this user.
    impersonatorId: claimsOf(request)?.imp_by,
    method: request.method,
    // The route pattern, never the address itself: addresses may hold names and tokens.
    route: path ?? 'unmatched',
    // 499: the client disconnected before the response was sent.
    status: response.writableFinished || response.statusCode === 101 ? response.statusCode : 499,
    durationMs: Math.round(durationMs),
  };
}
