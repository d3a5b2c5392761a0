import { type StoragePort, StorageUnavailable } from './port.js';
import type { S3Settings } from './s3.js';

/**
 * Does something in an organization's own store, which is opened for that alone, so that a key that was replaced is not used
 * on; or, given none, in the platform's. @throws StorageUnavailable without one, and as the port does
 */
export async function inStore<T>(own: S3Settings | null, work: (store: StoragePort) => Promise<T>): Promise<T> {
  const { ownStore, store } = loaded();
  const opened = own ? ownStore(own) : store();
  if (!opened) throw new StorageUnavailable('There is no store.');
  try {
    return await work(opened);
  } finally {
    if (own) opened.close();
  }
}

/**
 * Their SDK is large, and most processes never touch a file. It is loaded without waiting: a stream that is to be written might fail
 * meanwhile, and nobody would hear it.
 */
const loaded = () => ({
  ...(require('./ownStore.js') as typeof import('./ownStore.js')),
  ...(require('./store.js') as typeof import('./store.js')),
});
