/**
 * Reports whether two stores are the same bucket under two names, for example after a server got another address. The
 * only way to find out is to write a test object.
 */
import { Readable } from 'node:stream';
import { setTimeout as late } from 'node:timers/promises';
import { withStore } from './withStore.js';
import { ObjectMissing, type StoragePort, StorageUnavailable } from './port.js';
import type { S3Settings } from './s3.js';

const TIMEOUT_MS = 20_000;

/** A store (null: the platform's) and the prefix of its keys. */
interface BucketLocation {
  store: S3Settings | null;
  prefix: string;
}

/**
 * Reports whether an object that is written to one store is visible in the other. Ends within 20 s.
 * @param name the key of the test object, which no other object has; a retry uses the same key
 * @throws StorageUnavailable
 */
export const isSameBucket = async (one: BucketLocation, other: BucketLocation, name: string): Promise<boolean> =>
  one.prefix === other.prefix &&
  Promise.race([
    withStore(one.store, (written) =>
      withStore(other.store, (read) => isVisible(written, read, `${one.prefix}${name}`)),
    ),
    late(TIMEOUT_MS, undefined, { ref: false }).then(() => {
      throw new StorageUnavailable('The store did not answer in time.');
    }),
  ]);

async function isVisible(written: StoragePort, read: StoragePort, key: string): Promise<boolean> {
  await written.put(key, Readable.from([Buffer.from('Are two stores one place?')]));
  try {
    (await read.get(key)).destroy();
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  } finally {
    await written.remove(key);
  }
}

/**
 * Reports whether the error means that the object is missing: without the permission ListBucket, S3 answers 403 for a
 * missing object.
 */
const isMissing = (error: unknown): boolean => error instanceof ObjectMissing || statusOf(error) === 403;

const statusOf = (error: unknown): number | undefined =>
  (error as { cause?: { $metadata?: { httpStatusCode?: number } } }).cause?.$metadata?.httpStatusCode;
