/** The Express application: the middleware of every request, in this order. */
import cookieParser from 'cookie-parser';
import express, { type Express, type RequestHandler } from 'express';
import { config } from '../config.js';
import '../models/wireAreas.js';
import { refuseRejectedToken } from './http/authentication.js';
import { readBytes, refuseUnreadableAddress } from './http/body.js';
import { allowFrontend, refuseForgery, securityHeaders } from './http/browsers.js';
import { consolePages } from './http/console/pages.js';
import { docs } from './http/docs/page.js';
import { developmentPage } from './http/developmentPage.js';
import { errorHandler, notFound } from './http/errorHandler.js';
import { readBoundedBody } from './http/boundedBody.js';
import { mount } from './http/mount.js';
import { leaveUnread } from './http/upload.js';
import { identifyRequest, logRequest } from './http/requestLog.js';
import type { Route } from './http/routes.js';
import { traceRequest } from './http/traceRequest.js';
import { createThrottles, type Throttles } from './http/throttles/throttles.js';
import { goodStandingPages } from './finances/good-standing/pages.js';
import { applicantPages } from './intake/pages/pages.js';
import * as passkeyDemo from './identity/passkey-demo/page.js';
import { returnToCallback } from './identity/sso/returnToCallback.js';
import * as forumsDemo from './forums/demo/page.js';
import * as notificationsDemo from './notifications/demo/page.js';
import { allTypes } from '../models/notifications/types.js';
import { allRoutes } from './routes.js';

/**
 * Creates the application. Opens no connection.
 * @param list the routes that it serves
 */
export function createApp(throttles: Throttles = createThrottles(), list: Route[] = allRoutes): Express {
  const app = express();
  app.enable('case sensitive routing').disable('x-powered-by').disable('etag').set('query parser', false);
  const tracing = config.tracing ? [traceRequest] : [];
  app.use(
    chain([
      identifyRequest,
      logRequest,
      ...tracing,
      securityHeaders,
      allowFrontend,
      refuseUnreadableAddress,
      cookieParser(),
    ]),
  );
  app.use('/api/docs', docs());
  app.use('/auth/passkey-demo', developmentPage(passkeyDemo));
  app.use('/notifications/demo', developmentPage(notificationsDemo));
  app.use('/forums/demo', developmentPage(forumsDemo));
  app.use(applicantPages());
  app.use(goodStandingPages());
  // Cheap refusals come first: a body is read only when its sender has throttle budget left.
  const before = (route: Route): RequestHandler[] => [
    ...refuseForgery(route),
    ...(route.spec.access === 'public' ? [] : [refuseRejectedToken]),
    ...throttles.beforeBody(route),
    // The body of a GET is not read.
    ...(route.method === 'get' ? [] : [bodyReaderOf(route.spec)]),
    ...throttles.afterBody(route),
  ];
  mount(app, list, before);
  app.use(consolePages(allTypes().map(({ path }) => path)));
  app.use(notFound);
  app.use(returnToCallback);
  app.use(errorHandler);
  return app;
}

const bodyReaderOf = ({ bodyBounds, upload }: Route['spec']): RequestHandler =>
  upload ? leaveUnread : bodyBounds ? readBoundedBody(bodyBounds) : readBytes;

/** Runs handlers one after another as `app.use` would, but without matching the address for each. */
const chain =
  (handlers: RequestHandler[]): RequestHandler =>
  (request, response, next) => {
    let index = 0;
    const step = (error?: unknown): void => {
      const handler = handlers[index++];
      if (error || !handler) next(error);
      else void handler(request, response, step);
    };
    step();
  };
