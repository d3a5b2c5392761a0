/** Browser security: headers, CORS, and the defence against cross-site request forgery. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import cors, { type CorsOptions } from 'cors';
import type { Request, RequestHandler } from 'express';
import helmet from 'helmet';
import { config } from '../../config.js';
import { refuse } from '../../models/errors.js';
import type { Route } from './routes.js';

const frontend = new URL(config.frontendUrl).origin;
const own = new URL(config.backendUrl).origin;

/**
 * Reports whether the client at GIVING_URL may call an address. This client may only call the public giving routes, and
 * works without a session. A proxy may serve the API's own donation form at GIVING_URL, so the address of that form is
 * included.
 */
const mayGivingClientCall = (path: string, origin: string): boolean =>
  /^\/(api\/foundation\/public|donate)\//.test(path) && origin === new URL(config.givingUrl).origin;

/** Headers of responses that are data, not pages: nothing in them may run, load or be framed. */
const protect = helmet({
  contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
  frameguard: { action: 'deny' },
  // These headers concern HTML pages, downloads in old browsers and plug-ins, so responses with data do not need them.
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
  strictTransportSecurity: config.production ? { maxAge: 31_536_000, includeSubDomains: true } : false,
});

/** Returns the headers that a Helmet middleware sets. They are always the same, so they are computed once. */
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

/** Allows the frontend to call with cookies. Scripts of other sites may not read a response. */
export const allowFrontend: RequestHandler = (request, response, next) => {
  const { origin } = request.headers;
  if (origin !== undefined) {
    const isGivingClient = origin !== frontend && mayGivingClientCall(request.path, origin);
    (isGivingClient ? answerGivingClient : answerFrontend)(request, response, next);
  } else {
    // The request is not cross-origin. The header tells caches that the response to a cross-origin request may differ.
    response.setHeader('Vary', 'Origin');
    next();
  }
};

const CORS: CorsOptions = {
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
  // Routes answer OPTIONS themselves, because they know their methods.
  preflightContinue: true,
};
const answerFrontend = cors({ ...CORS, origin: [frontend], credentials: true });
/**
 * CORS headers for the giving client. `origin: true` returns the origin of the request; the caller has already compared
 * it with GIVING_URL.
 */
const answerGivingClient = cors({ ...CORS, origin: true, credentials: false });

/** Refuses changes that a page of another site could have sent with a user's cookies. */
export function refuseForgery({ method, spec }: Route): RequestHandler[] {
  if (method === 'get' || !requiresOwnOrigin(spec)) return [];
  return [
    (request, _response, next) => {
      if (!isOurs(request)) throw refuse.cross_site_request();
      next();
    },
  ];
}

/**
 * Whether a change must come from a page of ours. Routes with raw bodies are exempt, because machines call them and
 * sign the bodies. Raw bodies that are forms of our own pages are not exempt.
 */
export const requiresOwnOrigin = ({ rawBody, refusalPage }: Route['spec']): boolean =>
  !rawBody || refusalPage !== undefined;

function isOurs(request: Request): boolean {
  const { origin, authorization } = request.headers;
  const hasCookies = Object.keys((request.cookies ?? {}) as object).length > 0;
  // Browsers never add a bearer token by themselves, so a request with one was not forged by another site.
  if (!hasCookies && authorization !== undefined) return true;
  // Requests without cookies are checked, too: a forged log-in would sign the user in as the attacker.
  if (origin !== undefined)
    return isAllowedOrigin(origin, request.headers.host) || mayGivingClientCall(request.path, origin);
  if (!hasCookies) return true;
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  return needsPreflight(request);
}

/**
 * Refuses a WebSocket that was opened with a cookie from a foreign page: browsers let any page open one, and send
 * cookies along.
 */
export function refuseForeignOrigin({ headers, cookies }: Request): void {
  const { origin, host } = headers;
  const hasAccessCookie = Boolean((cookies as Record<string, unknown> | undefined)?.['access_token']);
  if (hasAccessCookie && (origin === undefined || !isAllowedOrigin(origin, host))) throw refuse.cross_site_request();
}

function isAllowedOrigin(origin: string, host: string | undefined): boolean {
  if (origin === frontend || origin === own) return true;
  // The same server under another host name. A foreign page cannot choose the Host that its visitor's browser sends.
  return host !== undefined && (origin === `http://${host}` || origin === `https://${host}`);
}

/** Reports whether browsers send the request to another site only after a preflight, which CORS refuses. */
const needsPreflight = (request: Request): boolean =>
  request.method !== 'POST' || Boolean(request.is('application/json'));
