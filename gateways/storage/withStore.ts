import { type StoragePort, StorageUnavailable } from './port.js';
import type { S3Settings } from './s3.js';

/**
 * Runs work with a store: an organization's own one, or the platform's. An own store is opened for this work only, so
 * that a replaced key is not used any more.
 * @throws StorageUnavailable if there is no store; the errors of the port
 */
export async function withStore<T>(own: S3Settings | null, work: (store: StoragePort) => Promise<T>): Promise<T> {
  const { ownStore, store } = loadStores();
  const openedStore = own ? ownStore(own) : store();
  if (!openedStore) throw new StorageUnavailable('No store is configured.');
  try {
    return await work(openedStore);
  } finally {
    if (own) openedStore.close();
  }
}

/**
 * Loads the SDK on first use, because it is large and most processes never touch a file. Loads it synchronously: during
 * an `await`, the stream that the caller wants to write could fail while nothing listens for its errors.
 */
const loadStores = () => ({
  ...(require('./ownStore.js') as typeof import('./ownStore.js')),
  ...(require('./store.js') as typeof import('./store.js')),
});
