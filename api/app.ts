/** The Express application: what every request passes, in this order. */
import cookieParser from 'cookie-parser';
import express, { type Express, type RequestHandler } from 'express';
import { config } from '../config.js';
import '../models/areas.js';
import { refuseWorthless } from './http/authentication.js';
import { readBytes, refuseUnreadableAddress } from './http/body.js';
import { allowFrontend, refuseForgery, securityHeaders } from './http/browsers.js';
import { docs } from './http/docs/page.js';
import { developmentPage } from './http/developmentPage.js';
import { errorHandler, notFound } from './http/errorHandler.js';
import { takeIn } from './http/intake.js';
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
import * as notificationsDemo from './notifications/demo/page.js';
import { allRoutes } from './routes.js';

/**
 * Opens no connection by itself.
 * @param list the routes it answers
 */
export function createApp(throttles: Throttles = createThrottles(), list: Route[] = allRoutes): Express {
  const app = express();
  app.enable('case sensitive routing').disable('x-powered-by').disable('etag').set('query parser', false);
  const tracing = config.tracing ? [traceRequest] : [];
  app.use(
    inTurn([
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
  app.use(applicantPages());
  app.use(goodStandingPages());
  // Cheap refusals first: a body is read once its sender has budget left.
  const before = (route: Route): RequestHandler[] => [
    ...refuseForgery(route),
    ...(route.spec.access === 'public' ? [] : [refuseWorthless]),
    ...throttles.beforeBody(route),
    // What a GET brings along is left unread.
    ...(route.method === 'get' ? [] : [readerOf(route.spec)]),
    ...throttles.afterBody(route),
  ];
  mount(app, list, before);
  app.use(notFound);
  app.use(returnToCallback);
  app.use(errorHandler);
  return app;
}

const readerOf = ({ intake, upload }: Route['spec']): RequestHandler =>
  upload ? leaveUnread : intake ? takeIn(intake) : readBytes;

/** As `app.use` would run them, without matching the address anew for each. */
const inTurn =
  (handlers: RequestHandler[]): RequestHandler =>
  (request, response, next) => {
    let done = 0;
    const step = (error?: unknown): void => {
      const handler = handlers[done++];
      if (error || !handler) next(error);
      else void handler(request, response, step);
    };
    step();
  };
