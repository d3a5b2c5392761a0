/** Database limits of a request: its connection quota, and a short lock timeout. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { config } from '../../config.js';
import { isInTransaction } from './connection.js';
import { FairSemaphore, type Release } from './fairSemaphore.js';

/** The request as a consumer of database connections. */
export interface Requester {
  /**
   * The key under which connections are counted: the tenant from the signed token, never from a header. Anonymous
   * clients have one quota per organization and one without an organization, so that they use up neither the members'
   * quota nor that of another organization's clients.
   */
  quotaKey: string | AnonymousClient;
  /** Whether the request has already held a connection. Such requests have priority. */
  hasHadConnection: boolean;
}

/** A client that is not authenticated. */
export interface AnonymousClient {
  /** The purpose of the request: sign-ins have a quota of their own. */
  purpose: 'public' | 'sign-in';
  /**
   * The network address of the client. Among waiting clients, the address that holds the fewest connections is next.
   */
  address: string;
}

const currentRequester = new AsyncLocalStorage<Requester>();

export const requesterOf = (quotaKey: Requester['quotaKey']): Requester => ({
  quotaKey,
  hasHadConnection: false,
});

/**
 * Runs `work` with the limits of a request. The worker and commands have no such limits. A nested call may set another
 * quota key once it is known who sent the request.
 */
export const withRequestLimits = <T>(quotaKey: Requester['quotaKey'], work: () => Promise<T>): Promise<T> =>
  continueRequest(requesterOf(quotaKey), work);

/** Runs `work` with the limits of a request that may have had a connection already. */
export const continueRequest = <T>(requester: Requester, work: () => Promise<T>): Promise<T> =>
  currentRequester.run(requester, work);

const POOL = config.DATABASE_POOL;
/**
 * Maximum number of waiting requests per tenant. A hundred concurrent requests fit, and all are served in time if each
 * takes a few milliseconds.
 */
const MAX_QUEUED = 512;
const WAIT_MS = 4_000;

const connections = new FairSemaphore({
  slots: POOL,
  maxPerTenant: config.tenantQuota,
  // One eighth of the connections is reserved for tenants that hold none at the moment. A pool of fewer than 8
  // connections has no reserve.
  reserve: Math.floor(POOL / 8),
  maxQueued: MAX_QUEUED,
  waitMs: WAIT_MS,
});

/** Returns the number of requests that wait for their quota. */
export const waitingForQuota = (): number => connections.waitingCount;

/**
 * Acquires a connection slot for the current request. A request that already holds one (in a nested transaction) gets
 * no second slot, because waiting for it could deadlock.
 */
export async function acquireConnectionSlot(
  organizationId: string | null,
  requester: Requester | undefined = currentRequester.getStore(),
): Promise<Release> {
  if (isInTransaction()) return releaseOfNested();
  if (!requester) return () => undefined;
  const { quotaKey, hasHadConnection } = requester;
  const release = await (typeof quotaKey === 'string'
    ? connections.acquire(quotaKey, hasHadConnection)
    : connections.acquire(anonymousKey(quotaKey, organizationId), hasHadConnection, quotaKey.address));
  requester.hasHadConnection = true;
  return release;
}

/**
 * Returns the quota key of an anonymous client. Each purpose has one quota per organization, and one without an
 * organization.
 */
const anonymousKey = ({ purpose }: AnonymousClient, organizationId: string | null): string =>
  organizationId === null ? purpose : `${purpose}:${organizationId}`;

/**
 * A nested transaction is a programming error: it throws in tests, and is tolerated in production without a second
 * slot.
 */
function releaseOfNested(): Release {
  if (config.NODE_ENV === 'test') throw new Error('A transaction was opened within another.');
  return () => undefined;
}

/**
 * Lock timeout for statements of a request. The worker's and commands' statements wait for locks until their statement
 * timeout.
 */
const REQUEST_LOCK_MS = 3_000;

/** Returns the lock timeout in milliseconds; 0 means none. */
export const lockTimeout = (requester: Requester | undefined = currentRequester.getStore()): number =>
  requester ? REQUEST_LOCK_MS : 0;
