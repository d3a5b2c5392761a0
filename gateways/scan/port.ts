/** The port of the virus scanner. */
import type { Readable } from 'node:stream';

export type Verdict =
  | { clean: true }
  | {
      clean: false;
      /** The name of the malware, reduced to printable characters. */
      signature: string;
    };

export interface ScanPort {
  /**
   * Scans a whole file.
   * @throws the error of the stream, or else ScannerUnavailable: then nothing is known about the file
   */
  scan(bytes: Readable): Promise<Verdict>;
}

/** The scanner did not respond in time, or its response is unknown. */
export class ScannerUnavailable extends Error {
  override readonly name = 'ScannerUnavailable';
}
