/** The Express application: what every request passes, in this order. */
import cookieParser from 'cookie-parser';
import express, { type Express } from 'express';
import { readBytes } from './http/body.js';
import { errorHandler, notFound } from './http/errorHandler.js';
import { mount } from './http/mount.js';
import { identifyRequest, logRequest } from './http/requestLog.js';
import { allRoutes } from './routes.js';

/** Opens no connection by itself. */
export function createApp(): Express {
  const app = express();
  app.disable('x-powered-by').disable('etag').set('query parser', false);
  app.use(identifyRequest, logRequest, cookieParser());
  mount(app, allRoutes, () => [readBytes]);
  app.use(notFound);
  app.use(errorHandler);
  return app;
}
