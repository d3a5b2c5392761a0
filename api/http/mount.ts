/** Puts a route on the server: authenticate, validate, one transaction, commit, then answer. */
import type { Express, Request, RequestHandler, Response } from 'express';
import { z } from 'zod';
import { config } from '../../config.js';
import { inTransaction, type TransactionOptions } from '../../models/database/tenancy.js';
import { refuse } from '../../models/errors.js';
import { Actor } from '../../models/identity/Actor.js';
import { identityErrors } from '../../models/identity/errors.js';
import { actorFacts, actorStatement, authenticate, authenticationErrors } from './authentication.js';
import { parseJson, parseQuery } from './body.js';
import { sendCookies } from './cookies.js';
import { dispatchSoon } from './dispatch.js';
import { requestFacts } from './requestFacts.js';
import { AfterCommit, Answer, type Result, type Route } from './routes.js';
import { validate } from './validation.js';

const NOTHING = z.strictObject({});
const SAFE = new Set(['GET', 'HEAD']);

/** Where people with a password to change may still go. */
const OPEN_BEFORE_PASSWORD_CHANGE = /^\/api\/auth\/(me|logout|password\/change)\/$/;

/**
 * Registers routes, `Allow` for OPTIONS, and 405 for the methods that an address does not answer.
 * @param before what a route's requests pass before it is served
 */
export function mount(app: Express, list: Route[], before: (route: Route) => RequestHandler[]): void {
  for (const routes of byAddress(list)) {
    const allowed = [...routes.map(({ method }) => method.toUpperCase()), 'OPTIONS'];
    if (allowed.includes('GET')) allowed.push('HEAD');
    const allow = allowed.sort().join(', ');
    for (const route of routes) {
      app[route.method](route.path, ...before(route), (request, response) => serve(route, request, response));
    }
    app.all((routes[0] as Route).path, (request, response) => {
      if (request.method !== 'OPTIONS') throw refuse.method_not_allowed(undefined, undefined, { Allow: allow });
      response.setHeader('Allow', allow);
      response.status(204).end();
    });
  }
}

/** Routes of the same address, whatever its parameters are called; `/search/` comes before `/:id/`, which takes anything. */
function byAddress(list: Route[]): Route[][] {
  const groups = new Map<string, Route[]>();
  for (const route of list) {
    const shape = route.path.replaceAll(/:[^/]+/g, '\uffff');
    groups.set(shape, [...(groups.get(shape) ?? []), route]);
  }
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, routes]) => routes);
}

async function serve(route: Route, request: Request, response: Response): Promise<void> {
  response.setHeader('Cache-Control', 'no-store');
  const given = () => ({ ...readInput(route, request), request: requestFacts(request) });
  if (route.spec.access === 'public') {
    const result = await route.handler({ ...given(), actor: undefined });
    return send(route, response, await settle(result, []));
  }
  const claims = authenticate(request);
  const facts = requestFacts(request);
  let written: string[] = [];
  const options: TransactionOptions = {
    readOnly: SAFE.has(request.method) && !route.spec.writes,
    origin: { userId: claims.sub, requestId: facts.id, ipAddress: facts.ipAddress },
    afterCommit: (ids) => (written = ids),
  };
  const opening = actorStatement(claims, request);
  const tenantOf = (row: Record<string, unknown> | undefined) => actorFacts(row).organization_id;
  const result = await inTransaction(opening, options, tenantOf, async (row) => {
    const actor = new Actor(actorFacts(row));
    response.locals['actor'] = actor;
    admit(route, actor);
    return route.handler({ ...given(), actor });
  });
  send(route, response, await settle(result, written));
}

/** @throws Refusal when this person may not use routes of this kind now */
function admit(route: Route, actor: Actor): void {
  const { access } = route.spec;
  if (access === 'platform' && !actor.isPlatformAdmin) throw refuse.forbidden();
  if (actor.facts.must_change_password && !OPEN_BEFORE_PASSWORD_CHANGE.test(route.path)) {
    throw authenticationErrors.password_change_required();
  }
  if (access !== 'tenant') return;
  if (actor.facts.organization_id === null) {
    throw actor.isPlatformAdmin ? refuse.organization_required() : identityErrors.membership_ended();
  }
  if (!actor.stands) throw identityErrors.membership_ended();
}

function readInput({ spec }: Route, request: Request) {
  // An id that is no id names nothing, like one that nobody has.
  if (
    Object.values(request.params)
      .flat()
      .some((value) => value.includes('\0'))
  )
    throw refuse.not_found();
  const params = spec.params?.safeParse(request.params);
  if (params && !params.success) throw refuse.not_found();
  const query = validate(spec.query ?? NOTHING, parseQuery(request.originalUrl), 'Unknown parameter.');
  return { params: params?.data, query: spec.query && query, body: readBody(spec, request) };
}

function readBody(spec: Route['spec'], request: Request): unknown {
  if (spec.rawBody) return request.body;
  if (SAFE.has(request.method)) return undefined;
  const given = parseJson(request);
  const body = validate(spec.body ?? NOTHING, given === undefined ? {} : given);
  return spec.body && body;
}

async function settle(result: Result<unknown>, written: string[]): Promise<Answer<unknown>> {
  const dispatched = dispatchSoon(written);
  const value = result instanceof AfterCommit ? await result.work(dispatched) : result;
  return value instanceof Answer ? value : new Answer(value);
}

function send({ spec }: Route, response: Response, { body, extra }: Answer<unknown>): void {
  const status = extra.status ?? spec.status ?? (spec.response ? 200 : 204);
  if (config.NODE_ENV === 'test') assertAnswer(spec, body);
  for (const [name, value] of Object.entries(extra.headers ?? {})) response.setHeader(name, value);
  sendCookies(response, extra.cookies ?? []);
  response.status(status);
  if (spec.response === undefined) response.end();
  else response.json(body);
}

/** In tests an answer that its own documentation does not describe shows as the bug that it is. */
function assertAnswer({ response }: Route['spec'], body: unknown): void {
  const parsed = response?.safeParse(JSON.parse(JSON.stringify(body)));
  if (parsed && !parsed.success) throw new Error(`The answer is not as documented: ${parsed.error.message}`);
}
