/** Registers routes on the server: authenticate, validate, one transaction, commit, then answer. */
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import express, { type Express, type Request, type RequestHandler, type Response, type Router } from 'express';
import { config } from '../../config.js';
import { withRequestLimits, continueRequest, requesterOf } from '../../models/database/connectionQuota.js';
import { readAt } from '../../models/database/replica.js';
import { type AtReplica, inTransaction, type TransactionOptions } from '../../models/database/tenancy.js';
import { refuse } from '../../models/errors.js';
import { Actor, type ActorFacts, type Person } from '../../models/identity/Actor.js';
import type { TokenClaims } from '../../models/identity/tokens.js';
import { answerNotModified } from './conditionalGet.js';
import { admit, admitAnonymous, needsRule } from './admit.js';
import { actorPreamble, authenticate, claimsOf, personFacts, refusalOfToken } from './authentication.js';
import { quotaKeyOf, anonymousClientOf } from './quotaKey.js';
import { requireDocumentedRefusal, requireDocumentedStatus } from './docs/documented.js';
import { sendCookies } from './cookies.js';
import { dispatchSoon } from './dispatch.js';
import { parseInput, SAFE } from './input.js';
import { organizationInPath } from './organizationInPath.js';
import { requireRuleChecked } from './policy.js';
import { readSpeculatively } from './speculativeRead.js';
import { replicaFor, sendPosition } from './readYourWrites.js';
import { answerRefusalPage } from './refusalPage.js';
import { requestFacts } from './requestFacts.js';
import { AfterCommit, Answer, JsonText, type Result, type Route } from './routes.js';
import { refundHits } from './throttles/refundHits.js';
import { findOtherTimestamps, withUniformTimestamps } from './timestamps.js';
import { originOf } from './origin.js';

/** Registers routes, `Allow` for OPTIONS, and 405 for unsupported methods. */
export function mount(app: Express, list: Route[], before: (route: Route) => RequestHandler[]): void {
  const areas = new Map<string, Router>();
  for (const routes of byAddress(list)) {
    const area = areaOf((routes[0] as Route).path);
    const router = areas.get(area) ?? express.Router({ caseSensitive: true });
    areas.set(area, router);
    const allowed = [...routes.map(({ method }) => method.toUpperCase()), 'OPTIONS'];
    if (allowed.includes('GET')) allowed.push('HEAD');
    const allow = allowed.sort().join(', ');
    for (const route of routes) {
      if (needsRule(route) && !route.spec.rule) {
        throw new Error(`${route.method} ${route.path} has no policy rule.`);
      }
      const serving: RequestHandler = (request, response) => serve(route, request, response);
      // Express has no type for a list of both kinds of handlers.
      const last = (config.NODE_ENV === 'test' ? [requireDocumentedRefusal(route)] : []) as unknown as RequestHandler[];
      router[route.method](route.path, ...before(route), serving, ...last, ...answerRefusalPage(route));
    }
    router.all((routes[0] as Route).path, (request, response) => {
      if (request.method !== 'OPTIONS') throw refuse.method_not_allowed(undefined, undefined, { Allow: allow });
      response.setHeader('Allow', allow);
      response.status(204).end();
    });
  }
  // Express tries the routes of a router one after another. With one router per area, only a few are tried for each
  // request.
  app.use((request, response, next) => {
    const router = areas.get(areaOf(request.path));
    if (router) router(request, response, next);
    else next();
  });
}

/** First segment of an address: `/api/organizations`, `/healthz`. */
const areaOf = (path: string): string => /^(?:\/api)?\/[^/]*/.exec(path)?.[0] ?? '';

/**
 * Groups routes by address, regardless of parameter names; `/search/` comes before `/:id/`, which matches anything.
 */
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
  if (route.spec.access === 'public') {
    const anonymousClient = anonymousClientOf(request, route.spec.signsIn ? 'sign-in' : 'public');
    return withRequestLimits(anonymousClient, () => servePublic(route, request, response));
  }
  const claims = authenticate(request);
  try {
    await serveSignedIn(route, request, response, claims);
  } catch (error) {
    if (refusalOfToken(claims)) refundHits(request);
    // A refusal sends the write position as well, because a refused request may have written, for example a payment
    // that continues.
    await sendPosition(route, request, response);
    throw error;
  }
}

async function servePublic(route: Route, request: Request, response: Response): Promise<void> {
  admitAnonymous(route, claimsOf(request));
  const result = await route.handler({ ...parseInput(route, request), actor: undefined });
  const answer = await settle(result, []);
  await sendPosition(route, request, response);
  await send(route, response, answer);
}

async function serveSignedIn(route: Route, request: Request, response: Response, claims: TokenClaims): Promise<void> {
  const onActor = (actor: Person) => (response.locals['actor'] = actor);
  // The requester is passed as a parameter: within an AsyncLocalStorage each promise costs more (measured: an eighth of
  // a small read).
  const requester = requesterOf(quotaKeyOf(claims));
  const replica = await replicaFor(route, request, claims);
  const text = await readAt(replica, (at) => readSpeculatively(route, request, claims, requester, onActor, at));
  if (text) return send(route, response, new Answer(text));
  await continueRequest(requester, () => serveInTransaction(route, request, response, claims, onActor, replica));
}

type Row = Record<string, unknown> | undefined;

async function serveInTransaction(
  route: Route,
  request: Request,
  response: Response,
  claims: TokenClaims,
  onActor: (actor: Person) => void,
  replica: AtReplica | undefined,
): Promise<void> {
  let outboxIds: string[] = [];
  const options: TransactionOptions = {
    readOnly: claims.imp_sid !== undefined || (SAFE.has(request.method) && !route.spec.writes),
    origin: originOf(requestFacts(request), { userId: claims.sub, sessionId: claims.sid }),
    afterCommit: (ids) => (outboxIds = ids),
  };
  const preamble = actorPreamble(claims, request);
  const result = await readAt(replica, (atReplica) => {
    const factsIn = (row: Row) => personFacts(row, claims, atReplica === undefined);
    const tenantOf = (row: Row) => factsIn(row).organization_id;
    return inTransaction(preamble, { ...options, atReplica }, tenantOf, async (row) => {
      const actor = new Actor(factsIn(row) as ActorFacts);
      onActor(actor);
      admit(route, actor);
      const input = parseInput(route, request);
      organizationInPath(route, actor, input.params);
      const answer = await route.handler({ ...input, actor });
      requireRuleChecked(route.spec.rule, actor);
      return answer;
    });
  });
  const answer = await settle(result, outboxIds);
  await sendPosition(route, request, response);
  await send(route, response, answer);
}

async function settle(result: Result<unknown>, outboxIds: string[]): Promise<Answer<unknown>> {
  const dispatched = dispatchSoon(outboxIds);
  const value = result instanceof AfterCommit ? await result.work(dispatched) : result;
  return value instanceof Answer ? value : new Answer(value);
}

function send(route: Route, response: Response, { body, extra }: Answer<unknown>): void | Promise<void> {
  const { spec } = route;
  // With status 101, the response was sent when the protocol was switched.
  if (spec.status === 101) return;
  for (const [name, value] of Object.entries(extra.headers ?? {})) response.setHeader(name, value);
  sendCookies(response, extra.cookies ?? []);
  response.statusCode = extra.status ?? spec.status ?? (spec.response ? 200 : 204);
  if (config.NODE_ENV === 'test') assertHead(route, response, extra.text ?? extra.stream);
  if (extra.stream) return sendStream(response, extra.stream);
  if (spec.response === undefined) return void response.end(extra.text);
  const text = withUniformTimestamps(body instanceof JsonText ? body.text : JSON.stringify(body));
  if (config.NODE_ENV === 'test') assertAnswer(spec, text);
  if (spec.revalidated && answerNotModified(response, text)) return void response.end();
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.end(text);
}

/** Sends a stream with backpressure. A client that disconnects ends it, which is not a failure. */
async function sendStream(response: Response, stream: Readable): Promise<void> {
  if (response.req.method === 'HEAD') {
    stream.destroy();
    return void response.end();
  }
  try {
    await pipeline(stream, response);
  } catch (error) {
    if (!isPrematureClose(error)) throw error;
  }
}

const isPrematureClose = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE';

/** Checks status and media type of a response in tests, as `assertAnswer` checks its body. */
function assertHead(route: Route, response: Response, text: unknown): void {
  const { textResponse, status, later } = route.spec;
  requireDocumentedStatus(route, response.statusCode);
  const type = String(response.getHeader('Content-Type') ?? '').split(';')[0];
  if (text && type !== textResponse) throw new Error(`${type} is not the media type that this route documents.`);
  const redirects = response.getHeader('Location') !== undefined;
  if (later && redirects && response.statusCode === 202) return;
  if (redirects !== (response.statusCode === 302) || (redirects && status !== 302)) {
    throw new Error('A redirect must have an address and the status 302, and its route must document it.');
  }
}

/** Fails in tests when a response does not match its documented schema. */
function assertAnswer({ response }: Route['spec'], text: string): void {
  const parsed = response?.safeParse(JSON.parse(text));
  if (parsed && !parsed.success) throw new Error(`The answer is not as documented: ${parsed.error.message}`);
  const [stray] = findOtherTimestamps(text);
  if (stray !== undefined)
    throw new Error(`${stray} is a timestamp in another form than ISO 8601 in UTC with milliseconds.`);
}
