/** Two stores may be one place by two names: a server that has another address now, say. Only what lies there tells. */
import { Readable } from 'node:stream';
import { setTimeout as late } from 'node:timers/promises';
import { inStore } from './inStore.js';
import { ObjectMissing, type StoragePort, StorageUnavailable } from './port.js';
import type { S3Settings } from './s3.js';

const LONGEST_MS = 20_000;

/** A store, null: the platform's, and what keys in it begin with. */
interface Place {
  store: S3Settings | null;
  prefix: string;
}

/**
 * Whether what is put into one is there in the other, too. Ends within 20 s.
 * @param name of nothing that is there, nor afterwards; the same when tried again @throws StorageUnavailable
 */
export const areOnePlace = async (one: Place, other: Place, name: string): Promise<boolean> =>
  one.prefix === other.prefix &&
  Promise.race([
    inStore(one.store, (written) => inStore(other.store, (read) => isSeen(written, read, `${one.prefix}${name}`))),
    late(LONGEST_MS, undefined, { ref: false }).then(() => {
      throw new StorageUnavailable('There was no answer in time.');
    }),
  ]);

async function isSeen(written: StoragePort, read: StoragePort, key: string): Promise<boolean> {
  await written.put(key, Readable.from([Buffer.from('Are two stores one place?')]));
  try {
    (await read.get(key)).destroy();
    return true;
  } catch (error) {
    if (isNotThere(error)) return false;
    throw error;
  } finally {
    await written.remove(key);
  }
}

/** Without a right of its own to know what is there, a key is told of what is missing that it is forbidden. */
const isNotThere = (error: unknown): boolean => error instanceof ObjectMissing || statusOf(error) === 403;

const statusOf = (error: unknown): number | undefined =>
  (error as { cause?: { $metadata?: { httpStatusCode?: number } } }).cause?.$metadata?.httpStatusCode;
