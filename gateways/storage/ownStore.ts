/**
 * Stores that organizations chose: on the public internet, by https, with the organization's own files only. Their
 * addresses are checked when connecting, so that a name cannot resolve to another address afterwards.
 */
import { agentsFor } from './agents.js';
import { type StoragePort, StorageUnavailable } from './port.js';
import { s3, type S3Settings } from './s3.js';

/**
 * Creates the port without connecting.
 * @throws StorageUnavailable if the address is forbidden
 */
export function ownStore(settings: S3Settings): StoragePort {
  try {
    return s3(settings, agentsFor(settings.endpoint));
  } catch (cause) {
    throw new StorageUnavailable('The address of the store is forbidden.', { cause });
  }
}
