/** What a request of the API may take of the database: a share of the connections, and short waits for locks. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { config } from '../../config.js';
import { isInTransaction } from './connection.js';
import { type Release, Shares } from './shares.js';

interface Requester {
  /** Whose share it takes of; null while nobody is known. */
  claimant: string | null;
  /** Whether it has had a connection. */
  begun: boolean;
}

const requests = new AsyncLocalStorage<Requester>();

/**
 * Runs `work` within the bounds of a request. Outside of it, in the worker and in commands, there are none.
 * @param claimant whose share of the connections it takes of: never what the caller only says of themselves. Null where
 *   nobody is signed in: then what concerns an organization, and what concerns none, have shares of their own, so that
 *   strangers use up neither its people's nor each other's
 */
export const asRequestOf = <T>(claimant: string | null, work: () => Promise<T>): Promise<T> =>
  requests.run({ claimant, begun: false }, work);

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
 * @throws Refusal busy
 */
export async function takeShare(organizationId: string | null): Promise<Release> {
  if (isInTransaction()) return withinAnother();
  const requester = requests.getStore();
  if (!requester) return () => undefined;
  const stranger = organizationId === null ? 'public' : `public:${organizationId}`;
  const release = await connections.take(requester.claimant ?? stranger, requester.begun);
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
export const lockTimeout = (): number => (requests.getStore() ? REQUEST_LOCK_MS : 0);
