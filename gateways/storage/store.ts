/** The platform's store, with the credentials of the environment. It is opened on first use. */
import { config } from '../../config.js';
import type { StoragePort } from './port.js';
import { s3 } from './s3.js';

let cachedStore: StoragePort | undefined;

/** Returns the store; null without credentials: then no file can be uploaded or downloaded. */
export const store = (): StoragePort | null => (config.storage ? (cachedStore ??= s3(config.storage)) : null);

/** Closes idle connections; the next call opens new ones. */
export function closeStore(): void {
  cachedStore?.close();
  cachedStore = undefined;
}
