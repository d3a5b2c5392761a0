/** The stand-in of the object storage. It runs unless a real one is configured or this is production. */
import path from 'node:path';
import { DEVELOPMENT_SECRETS } from '../../config.js';
import type { StackSettings } from './settings.js';

/** The platform's own bucket and its credentials. */
export const STORAGE = {
  bucket: 'membership',
  accessKeyId: 'development',
  secretAccessKey: DEVELOPMENT_SECRETS.storageSecret,
} as const;

/** A bucket with its own key, for an organization that keeps its files in its own storage. */
export const OWN_STORAGE = {
  bucket: 'northern-star',
  accessKeyId: 'northern-star',
  secretAccessKey: DEVELOPMENT_SECRETS.ownStorageSecret,
} as const;

/** Credentials that may create buckets with their own users and keys. */
export const STORAGE_PROVISIONER = {
  accessKeyId: 'provisioner',
  secretAccessKey: DEVELOPMENT_SECRETS.storageProvisioningSecret,
} as const;

export const storageFolder = ({ dataDir }: Pick<StackSettings, 'dataDir'>): string => path.join(dataDir, 'storage');

/** Reports whether the stand-in runs: no real bucket is configured, and this is not production. */
export const playsStorage = ({ environment, external }: Pick<StackSettings, 'environment' | 'external'>): boolean =>
  !external.storage && environment['NODE_ENV'] !== 'production';

export const storageUrl = ({ ports }: Pick<StackSettings, 'ports'>): string => `http://127.0.0.1:${ports.storage}`;

/** Returns the environment variables that point programs to the stand-in. */
export function storageEnvironment(settings: StackSettings): NodeJS.ProcessEnv {
  if (!playsStorage(settings)) return {};
  return {
    STORAGE_BUCKET: STORAGE.bucket,
    STORAGE_ENDPOINT: storageUrl(settings),
    STORAGE_ACCESS_KEY_ID: STORAGE.accessKeyId,
    STORAGE_SECRET_ACCESS_KEY: STORAGE.secretAccessKey,
    STORAGE_ALLOWED_HOSTS: new URL(storageUrl(settings)).host,
    STORAGE_PROVISIONING_ACCESS_KEY_ID: STORAGE_PROVISIONER.accessKeyId,
    STORAGE_PROVISIONING_SECRET_ACCESS_KEY: STORAGE_PROVISIONER.secretAccessKey,
    STORAGE_PROVISIONING_ENDPOINT: storageUrl(settings),
    STORAGE_PROVISIONING_IDENTITY_ENDPOINT: storageUrl(settings),
  };
}
