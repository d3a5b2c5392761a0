/**
 * Stores that organizations chose: on the public internet, by https, and trusted with nothing but the organization's own files.
 * Their addresses are checked at the moment of connecting, whatever a name led to before.
 */
import { agentsFor } from './agents.js';
import { type StoragePort, StorageUnavailable } from './port.js';
import { s3, type S3Settings } from './s3.js';

/** Opens no connection by itself. @throws StorageUnavailable where it must not be reached */
export function ownStore(settings: S3Settings): StoragePort {
  try {
    return s3(settings, agentsFor(settings.endpoint));
  } catch (cause) {
    throw new StorageUnavailable('The store must not be reached.', { cause });
  }
}
