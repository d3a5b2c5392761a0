import { ownStore } from './ownStore.js';
import { type StoragePort, StorageUnavailable } from './port.js';
import type { S3Settings } from './s3.js';
import { store } from './store.js';

/**
 * Does something in an organization's own store, which is opened for that alone, so that a key that was replaced is not used
 * on; or, given none, in the platform's. @throws StorageUnavailable without one, and as the port does
 */
export async function inStore<T>(own: S3Settings | null, work: (store: StoragePort) => Promise<T>): Promise<T> {
  const opened = own ? ownStore(own) : store();
  if (!opened) throw new StorageUnavailable('There is no store.');
  try {
    return await work(opened);
  } finally {
    if (own) opened.close();
  }
}
