/** What a request of the API may take of the database: a share of the connections, and short waits for locks. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { config } from '../../config.js';
import { isInTransaction } from './connection.js';
import { type Release, Shares } from './shares.js';

/** A request, as far as its connections are concerned. */
export interface Requester {
  /**
   * Whose share of the connections it takes of: never what the caller only says of themselves. Of strangers, what concerns
   * an organization, and what concerns none, have shares of their own, so that they use up neither its people's nor each
   * other's.
   */
  by: string | Stranger;
  /** Whether it has had a connection. */
  begun: boolean;
}

/** Somebody of whom nothing is known yet. */
export interface Stranger {
  /** What they come for: those who sign in wait for nobody who wants something else. */
  part: 'public' | 'sign-in';
  /** The network that they come from: of those who wait, who holds least comes next. */
  address: string;
}

const requests = new AsyncLocalStorage<Requester>();

export const requesterOf = (by: Requester['by']): Requester => ({ by, begun: false });

/**
 * Runs `work` within the bounds of a request. Outside of it, in the worker and in commands, there are none. Within, work
 * whose claimant is known by then may take of theirs.
 */
export const asRequestOf = <T>(by: Requester['by'], work: () => Promise<T>): Promise<T> =>
  continuing(requesterOf(by), work);

/** The same for a request that may have had a connection already. */
export const continuing = <T>(requester: Requester, work: () => Promise<T>): Promise<T> =>
  requests.run(requester, work);

const POOL = config.DATABASE_POOL;
/** Of each hundred requests that come at once, all are served if each takes some milliseconds. */
const MOST_WAITING = 512;
const WAIT_MS = 4_000;

const connections = new Shares({
  places: POOL,
  share: config.tenantShare,
  // A pool of a few has nothing to keep back.
  reserve: Math.floor(POOL / 8),
  mostWaiting: MOST_WAITING,
  waitMs: WAIT_MS,
});

/** Requests that wait for their tenant's share. */
export const waitingForShare = (): number => connections.waitingCount;

/**
 * The right to take a connection. Who holds one takes no second: it could wait for ever for what it holds itself.
 * @param organizationId the tenant, where that is known before the transaction
 * @param requester whose right it is; left out: the request that this runs within, if it does
 * @throws Refusal busy
 */
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

/** A mistake of ours, which tests are to show; people get the answer all the same. */
function withinAnother(): Release {
  if (config.NODE_ENV === 'test') throw new Error('A transaction was opened within another.');
  return () => undefined;
}

/** What a statement of a request waits for a lock; others wait until their statement has taken too long. */
const REQUEST_LOCK_MS = 3_000;

/** Milliseconds; 0 for no bound of its own. */
export const lockTimeout = (requester: Requester | undefined = requests.getStore()): number =>
  requester ? REQUEST_LOCK_MS : 0;
