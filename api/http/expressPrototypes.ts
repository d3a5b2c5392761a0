import http from 'node:http';
import type { Express, Request, Response } from 'express';

interface MessageClasses {
  IncomingMessage: typeof http.IncomingMessage;
  ServerResponse: typeof http.ServerResponse;
}

/**
 * Creates message classes that already have the prototypes Express sets, for the HTTP server to use. Otherwise
 * Express changes the prototype of each object, and V8 keeps a hidden class for each until its next full collection:
 * three quarters of the cost of Express (measured: 78 microseconds per request, 22 without).
 */
export function createMessageClasses(app: Express): MessageClasses {
  class Incoming extends http.IncomingMessage {}
  class Outgoing extends http.ServerResponse {}
  Object.setPrototypeOf(Incoming.prototype, app.request);
  Object.setPrototypeOf(Outgoing.prototype, app.response);
  app.request = Incoming.prototype as Request;
  app.response = Outgoing.prototype as unknown as Response;
  return { IncomingMessage: Incoming, ServerResponse: Outgoing as typeof http.ServerResponse };
}
