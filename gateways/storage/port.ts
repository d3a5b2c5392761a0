/** A place for files in the platform's words: objects under keys of our own, read by whoever holds a signed address. */
import type { Readable } from 'node:stream';

export interface Download {
  /** The name under which a browser saves it. */
  name: string;
  mediaType: string;
  /** How long the address is good for. */
  seconds: number;
}

export interface StoragePort {
  /**
   * Writes an object as its bytes come, in parts, and never half of one: what does not end is not there.
   * A second put under the same key replaces the first. @throws what the stream threw, else StorageUnavailable
   */
  put(key: string, bytes: Readable): Promise<void>;
  /** An object's bytes, as they come. @throws StorageUnavailable */
  get(key: string): Promise<Readable>;
  /** Whether there is such an object. @throws StorageUnavailable */
  has(key: string): Promise<boolean>;
  /** What is gone already is gone. @throws StorageUnavailable */
  remove(key: string): Promise<void>;
  /** An address by which anybody can download the object, to be saved and never shown. Asks nobody. */
  signedUrl(key: string, download: Download): Promise<string>;
  /** Closes idle connections. */
  close(): void;
}

/** The store gave no usable answer. What was asked may have been done. */
export class StorageUnavailable extends Error {
  override readonly name: string = 'StorageUnavailable';
}

/** It has no such object. */
export class ObjectMissing extends StorageUnavailable {}

/** An object is another than was put there. */
export class OtherBytes extends StorageUnavailable {}
