/** Database limits of a request: its connection quota, and a short lock timeout. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { config } from '../../config.js';
import { isInTransaction } from './connection.js';
import { type Release, Shares } from './shares.js';

/** A request as a user of connections. */
export interface Requester {
  /**
   * The quota key: the tenant from the signed token, never a header. Anonymous clients have separate quotas per
   * organization and one for no organization, so that they use up neither the members' quota nor each other's.
   */
  by: string | Stranger;
  /** Whether the request has had a connection. */
  begun: boolean;
}

/** A client that is not authenticated. */
export interface Stranger {
  /** Purpose: sign-ins have a quota of their own. */
  part: 'public' | 'sign-in';
  /** The client's network: among waiting clients, the one that holds the fewest connections is next. */
  address: string;
}

const requests = new AsyncLocalStorage<Requester>();

export const requesterOf = (by: Requester['by']): Requester => ({ by, begun: false });

/**
 * Runs `work` with a request's limits. Outside of it, in the worker and in commands, there are none. Nested calls may
 * use another quota once the caller is known.
 */
export const asRequestOf = <T>(by: Requester['by'], work: () => Promise<T>): Promise<T> =>
  continuing(requesterOf(by), work);

/** Runs `work` for a request that may have had a connection already. */
export const continuing = <T>(requester: Requester, work: () => Promise<T>): Promise<T> =>
  requests.run(requester, work);

const POOL = config.DATABASE_POOL;
/** With a hundred concurrent requests, all are served if each takes some milliseconds. */
const MOST_WAITING = 512;
const WAIT_MS = 4_000;

const connections = new Shares({
  places: POOL,
  share: config.tenantShare,
  // A small pool has no reserve.
  reserve: Math.floor(POOL / 8),
  mostWaiting: MOST_WAITING,
  waitMs: WAIT_MS,
});

/** Requests that wait for their quota. */
export const waitingForShare = (): number => connections.waitingCount;

/** Acquires the right to take a connection. A holder acquires no second one, which could deadlock with itself. */
export async function takeShare(
  organizationId: string | null,
  requester: Requester | undefined = requests.getStore(),
): Promise<Release> {
  if (isInTransaction()) return withinAnother();
  if (!requester) return () => undefined;
  const { by, begun } = requester;
  const release = await (typeof by === 'string'
    ? connections.take(by, begun)
    : connections.take(organizationId === null ? by.part : `${by.part}:${organizationId}`, begun, by.address));
  requester.begun = true;
  return release;
}

/** A nested transaction is a fault of our code: it fails in tests and is tolerated in production. */
function withinAnother(): Release {
  if (config.NODE_ENV === 'test') throw new Error('A transaction was opened within another.');
  return () => undefined;
}

/** Lock timeout of a request's statements; other statements wait until their statement timeout. */
const REQUEST_LOCK_MS = 3_000;

/** Milliseconds; 0 for no lock timeout. */
export const lockTimeout = (requester: Requester | undefined = requests.getStore()): number =>
  requester ? REQUEST_LOCK_MS : 0;
