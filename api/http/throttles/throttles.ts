/** Builds middleware from the table of scopes. */
import type { Request, RequestHandler } from 'express';
import { rateLimit, type Store } from 'express-rate-limit';
import { log } from '../../../models/log.js';
import type { Route } from '../routes.js';
import { BatchedStore } from './batchedStore.js';
import { recordHit } from './refundHits.js';
import { keyOf } from './keys.js';
import { quickLimiter } from './quickLimiter.js';
import { throttledIn } from './refusal.js';
import { DEFAULT_SCOPES, limitOf, SCOPES, type ThrottleRule, type ThrottleScope } from './scopes.js';
import { type CountHits, countIn, exactStore, pruneWindows } from './store.js';

const PRUNE_EVERY_MS = 5 * 60_000;

export interface Throttles {
  /** Returns the limiters of a route that run before the body is read, because they do not need it. */
  beforeBody(route: Route): RequestHandler[];
  /**
   * Returns the limiters of a route that run after the body was read: they use a field of the body, or their refusal
   * page shows the form.
   */
  afterBody(route: Route): RequestHandler[];
  /** Reports remaining counts to Postgres. */
  close(): Promise<void>;
}

/** Creates the limiters of one application. */
export function createThrottles(count: CountHits = countIn()): Throttles {
  const stores = new Map<ThrottleScope, Store>();
  const limiters = new Map<string, RequestHandler>();
  const limiter = (scope: ThrottleScope, verifiesSession: boolean): RequestHandler => {
    const store = stores.get(scope) ?? storeOf(scope, count);
    stores.set(scope, store);
    const name = `${scope} ${verifiesSession}`;
    const handler = limiters.get(name) ?? limiterOf(scope, store, verifiesSession);
    limiters.set(name, handler);
    return handler;
  };
  const prune = setInterval(() => void pruneQuietly(), PRUNE_EVERY_MS).unref();
  const scopesOf = ({ spec }: Route): readonly ThrottleScope[] => spec.throttle ?? DEFAULT_SCOPES;
  const needsBody = ({ spec }: Route, scope: ThrottleScope): boolean =>
    SCOPES[scope].key === 'email' || spec.refusalPage !== undefined;
  const limitersOf = (route: Route, afterBody: boolean): RequestHandler[] =>
    scopesOf(route)
      .filter((scope) => !isAcceptedOnly(scope) && needsBody(route, scope) === afterBody)
      .map((scope) => limiter(scope, route.spec.access !== 'public'));
  return {
    beforeBody: (route) => limitersOf(route, false),
    afterBody: (route) => limitersOf(route, true),
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

/**
 * Creates the limiter of a scope.
 * @param verifiesSession whether the routes verify the session of a token
 */
function limiterOf(scope: ThrottleScope, store: Store, verifiesSession: boolean): RequestHandler {
  const rule: ThrottleRule = SCOPES[scope];
  // The anonymous budget applies only to callers without a user budget.
  const budgetKeyOf = (request: Request): string | null =>
    scope === 'default_anonymous' && keyOf('user', request, verifiesSession)
      ? null
      : keyOf(rule.key, request, verifiesSession);
  const refusal = (secondsLeft: number) => throttledIn(scope, secondsLeft);
  const { windowSeconds } = rule;
  const limit = limitOf(scope);
  if (store instanceof BatchedStore)
    return quickLimiter({ name: scope, limit, windowSeconds, store, keyOf: budgetKeyOf, refusal });
  return rateLimit({
    store,
    windowMs: windowSeconds * 1000,
    limit,
    identifier: scope,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    // The library's checks are turned off: they concern Express's own idea of the client's address, which is not used
    // here.
    validate: false,
    skip: (request) => budgetKeyOf(request) === null,
    skipSuccessfulRequests: rule.failuresOnly === true,
    keyGenerator: (request) => {
      const key = budgetKeyOf(request) ?? '';
      recordHit(request, () => store.decrement(key));
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
