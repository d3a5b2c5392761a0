/** The stand-in of the store of files, unless a real one is named or none may be played. */
import path from 'node:path';
import { DEVELOPMENT_SECRETS } from '../../config.js';
import type { StackSettings } from './settings.js';

/** What the stand-in lets in, and under what name. */
export const STORAGE = {
  bucket: 'membership',
  accessKeyId: 'development',
  secretAccessKey: DEVELOPMENT_SECRETS.storageSecret,
} as const;

/** A bucket and a key of somebody else's, to keep an organization's files in. */
export const OWN_STORAGE = {
  bucket: 'northern-star',
  accessKeyId: 'northern-star',
  secretAccessKey: DEVELOPMENT_SECRETS.ownStorageSecret,
} as const;

/** Who may make buckets there, with users and keys of their own. */
export const STORAGE_PROVISIONER = {
  accessKeyId: 'provisioner',
  secretAccessKey: DEVELOPMENT_SECRETS.storageProvisioningSecret,
} as const;

export const storageFolder = ({ dataDir }: Pick<StackSettings, 'dataDir'>): string => path.join(dataDir, 'storage');

/** A bucket is named, or this is production, which knows no stand-in. */
export const playsStorage = ({ environment, external }: Pick<StackSettings, 'environment' | 'external'>): boolean =>
  !external.storage && environment['NODE_ENV'] !== 'production';

export const storageUrl = ({ ports }: Pick<StackSettings, 'ports'>): string => `http://127.0.0.1:${ports.storage}`;

/** Tells programs of it. */
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
