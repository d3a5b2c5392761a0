/** A span per request; installed only when tracing is on. */
import { context, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { Request, RequestHandler } from 'express';
import type { Person } from '../../models/identity/Actor.js';

/**
 * Begins a new trace; a client's trace context is not trusted. The span ends with the response, or when the client
 * disconnects.
 */
export const traceRequest: RequestHandler = (request, response, next) => {
  const span = trace.getTracer('membership').startSpan(request.method, { kind: SpanKind.SERVER }, ROOT_CONTEXT);
  response.once('close', () => {
    const { path: route = 'unmatched' } = (request.route ?? {}) as { path?: string };
    const actor = response.locals['actor'] as Person | undefined;
    // The route pattern, never the address itself: addresses may hold names and tokens.
    span.updateName(`${request.method} ${route}`).setAttributes({
      'http.request.method': request.method,
      'http.route': route,
      'http.response.status_code': response.statusCode,
      requestId: (request as Request & { id: string }).id,
      ...(actor?.facts.organization_id && { organizationId: actor.facts.organization_id }),
    });
    if (response.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  });
  context.with(trace.setSpan(ROOT_CONTEXT, span), next);
};
