/** From the table of scopes to middleware. */
import type { Request, RequestHandler } from 'express';
import { rateLimit, type Store } from 'express-rate-limit';
import { log } from '../../../models/log.js';
import type { Route } from '../routes.js';
import { BatchedStore } from './batchedStore.js';
import { noteSpent } from './givenBack.js';
import { keyOf } from './keys.js';
import { quickLimiter } from './quickLimiter.js';
import { throttledIn } from './refusal.js';
import { DEFAULT_SCOPES, limitOf, SCOPES, type ThrottleRule, type ThrottleScope } from './scopes.js';
import { type CountHits, countIn, exactStore, pruneWindows } from './store.js';

const PRUNE_EVERY_MS = 5 * 60_000;

export interface Throttles {
  /** A route's limiters that need no body: they run before it is read. */
  beforeBody(route: Route): RequestHandler[];
  /** A route's limiters that look into the body. */
  afterBody(route: Route): RequestHandler[];
  /** Tells Postgres what is still counted in memory. */
  close(): Promise<void>;
}

/**
 * The limiters of one application.
 * @param count where hits are counted
 */
export function createThrottles(count: CountHits = countIn()): Throttles {
  const stores = new Map<ThrottleScope, Store>();
  const limiters = new Map<string, RequestHandler>();
  const limiter = (scope: ThrottleScope, asksSession: boolean): RequestHandler => {
    const store = stores.get(scope) ?? storeOf(scope, count);
    stores.set(scope, store);
    const name = `${scope} ${asksSession}`;
    const known = limiters.get(name) ?? limiterOf(scope, store, asksSession);
    limiters.set(name, known);
    return known;
  };
  const prune = setInterval(() => void pruneQuietly(), PRUNE_EVERY_MS).unref();
  const scopesOf = ({ spec }: Route): readonly ThrottleScope[] => spec.throttle ?? DEFAULT_SCOPES;
  const readsBody = (scope: ThrottleScope): boolean => SCOPES[scope].key === 'email';
  const limitersOf = (route: Route, which: (scope: ThrottleScope) => boolean): RequestHandler[] =>
    scopesOf(route)
      .filter((scope) => !isAcceptedOnly(scope) && which(scope))
      .map((scope) => limiter(scope, route.spec.access !== 'public'));
  return {
    beforeBody: (route) => limitersOf(route, (scope) => !readsBody(scope)),
    afterBody: (route) => limitersOf(route, readsBody),
    close: async () => {
      clearInterval(prune);
      await Promise.all([...stores.values()].map(async (store) => store.shutdown?.()));
    },
  };
}

const isAcceptedOnly = (scope: ThrottleScope): boolean => (SCOPES[scope] as ThrottleRule).acceptedOnly === true;

function storeOf(scope: ThrottleScope, count: CountHits): Store {
  const { windowSeconds, sensitive } = SCOPES[scope];
  return sensitive ? exactStore(scope, windowSeconds, count) : new BatchedStore(scope, windowSeconds, count);
}

/** @param asksSession of the routes that it is for: with a token they look its session up */
function limiterOf(scope: ThrottleScope, store: Store, asksSession: boolean): RequestHandler {
  const rule: ThrottleRule = SCOPES[scope];
  // An anonymous budget is for those who have none of their own.
  const concerns = (request: Request): string | null =>
    scope === 'default_anonymous' && keyOf('user', request, asksSession) ? null : keyOf(rule.key, request, asksSession);
  const refusal = (secondsLeft: number) => throttledIn(scope, secondsLeft);
  const { windowSeconds } = rule;
  const limit = limitOf(scope);
  if (store instanceof BatchedStore)
    return quickLimiter({ name: scope, limit, windowSeconds, store, keyOf: concerns, refusal });
  return rateLimit({
    store,
    windowMs: windowSeconds * 1000,
    limit,
    identifier: scope,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    // Its checks are about Express's own idea of the caller's address, which we do not use.
    validate: false,
    skip: (request) => concerns(request) === null,
    skipSuccessfulRequests: rule.failuresOnly === true,
    keyGenerator: (request) => {
      const key = concerns(request) ?? '';
      noteSpent(request, () => store.decrement(key));
      return key;
    },
    handler: (request, _response, next) => {
      const { resetTime } = (request as Request & { rateLimit: { resetTime?: Date } }).rateLimit;
      next(refusal(((resetTime?.getTime() ?? Date.now()) - Date.now()) / 1000));
    },
  });
}

async function pruneQuietly(): Promise<void> {
  try {
    await pruneWindows();
  } catch (error) {
    log.warn({ err: error }, 'throttle windows were not pruned');
  }
}
