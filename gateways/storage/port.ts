/** The storage port: objects under our own keys, which anyone with a signed URL can download. */
import type { Readable } from 'node:stream';

export interface Download {
  /** The name under which a browser saves the download. */
  name: string;
  mediaType: string;
  /** Whether a browser displays the file; otherwise it saves it. Only for pictures that we have drawn ourselves. */
  isInline?: boolean;
  /** How long the URL is valid. */
  seconds: number;
}

export interface StoragePort {
  /**
   * Writes an object in parts, as its bytes arrive. An incomplete write leaves no object; a second put replaces the
   * first.
   * @throws the error of the stream, or else StorageUnavailable
   */
  put(key: string, bytes: Readable): Promise<void>;
  /**
   * Returns the bytes of an object as a stream.
   * @throws StorageUnavailable
   */
  get(key: string): Promise<Readable>;
  /**
   * Reports whether the object exists.
   * @throws StorageUnavailable
   */
  has(key: string): Promise<boolean>;
  /**
   * Deletes an object. Succeeds if it does not exist.
   * @throws StorageUnavailable
   */
  remove(key: string): Promise<void>;
  /** Returns a URL with which anyone can download the object. It is signed locally, without a request. */
  signedUrl(key: string, download: Download): Promise<string>;
  /** Closes idle connections. */
  close(): void;
}

/** Thrown if the store sends no usable response. The request may have succeeded. */
export class StorageUnavailable extends Error {
  override readonly name: string = 'StorageUnavailable';
}

/** The object does not exist. */
export class ObjectMissing extends StorageUnavailable {}

/** The bytes of an object differ from those that were stored. */
export class ChecksumMismatch extends StorageUnavailable {}
