/** What browsers are told and asked: security headers, CORS, and the defence against requests that other sites forge. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import cors from 'cors';
import type { Request, RequestHandler } from 'express';
import helmet from 'helmet';
import { config } from '../../config.js';
import { refuse } from '../../models/errors.js';
import type { Route } from './routes.js';

const frontend = new URL(config.frontendUrl).origin;
const own = new URL(config.backendUrl).origin;

/** For answers that are data: nothing in them may run, load or be framed. */
const protect = helmet({
  contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
  frameguard: { action: 'deny' },
  // For what answers of data never are: pages, downloads for an old browser, policy files of plug-ins.
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
  strictTransportSecurity: config.production ? { maxAge: 31_536_000, includeSubDomains: true } : false,
});

/** Helmet sets the same headers each time: it is asked once for what they are. */
function headersOf(middleware: typeof protect): [string, string][] {
  const headers: [string, string][] = [];
  const response = {
    setHeader: (name: string, value: string) => headers.push([name, value]),
    removeHeader: () => undefined,
  };
  middleware({} as IncomingMessage, response as unknown as ServerResponse, (error) => {
    if (error) throw error as Error;
  });
  return headers;
}

const SECURITY_HEADERS = headersOf(protect);

export const securityHeaders: RequestHandler = (_request, response, next) => {
  for (const [name, value] of SECURITY_HEADERS) response.setHeader(name, value);
  next();
};

/** The frontend may call with cookies; every other site's scripts may not read an answer. */
export const allowFrontend: RequestHandler = (request, response, next) => {
  if (request.headers.origin !== undefined) answerOrigin(request, response, next);
  else {
    // No script of another site asks: only caches have to know that the answer may differ for one that does.
    response.setHeader('Vary', 'Origin');
    next();
  }
};

const answerOrigin: RequestHandler = cors({
  origin: [frontend],
  credentials: true,
  methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
  allowedHeaders: ['Authorization', 'Content-Type', 'X-Client', 'X-Organization-Id', 'X-Read-After', 'X-Request-Id'],
  exposedHeaders: [
    'RateLimit',
    'RateLimit-Policy',
    'Retry-After',
    'X-Impersonation-Ended',
    'X-Read-After',
    'X-Request-Id',
  ],
  maxAge: 600,
  // Addresses answer OPTIONS themselves: they know what they allow.
  preflightContinue: true,
});

/** Refuses changes that a page of another site could have sent with somebody's cookies. */
export function refuseForgery({ method, spec }: Route): RequestHandler[] {
  // Raw bodies come from machines, which sign them.
  if (method === 'get' || spec.rawBody) return [];
  return [
    (request, _response, next) => {
      if (!isOurs(request)) throw refuse.cross_site_request();
      next();
    },
  ];
}

function isOurs(request: Request): boolean {
  const { origin, authorization } = request.headers;
  const hasCookies = Object.keys((request.cookies ?? {}) as object).length > 0;
  // A browser adds no bearer token by itself, so whoever sends one has it.
  if (!hasCookies && authorization !== undefined) return true;
  // Also without cookies: a forged log-in would sign somebody in as the attacker.
  if (origin !== undefined) return isAllowedOrigin(origin, request.headers.host);
  if (!hasCookies) return true;
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  return needsPreflight(request);
}

/**
 * Browsers let any page open a WebSocket, and send cookies along: whoever comes with the cookie has to come from a page of ours.
 * @throws Refusal cross_site_request
 */
export function refuseStrangeOrigin({ headers, cookies }: Request): void {
  const { origin, host } = headers;
  const comesWithCookie = Boolean((cookies as Record<string, unknown> | undefined)?.['access_token']);
  if (comesWithCookie && (origin === undefined || !isAllowedOrigin(origin, host))) throw refuse.cross_site_request();
}

function isAllowedOrigin(origin: string, host: string | undefined): boolean {
  if (origin === frontend || origin === own) return true;
  // The same server under another of its names. A page elsewhere cannot choose the Host its visitor's browser sends.
  return host !== undefined && (origin === `http://${host}` || origin === `https://${host}`);
}

/** No browser sends such a request across sites without asking first, and CORS says no. */
const needsPreflight = (request: Request): boolean =>
  request.method !== 'POST' || Boolean(request.is('application/json'));
