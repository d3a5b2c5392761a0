/** Whoever says whether a file is harmless, in the platform's words. */
import type { Readable } from 'node:stream';

export type Verdict =
  | { clean: true }
  | {
      clean: false;
      /** What it is known as, in letters that can be shown. */
      signature: string;
    };

export interface ScanPort {
  /** All of a file. @throws what the stream threw, else ScannerUnavailable: nothing is known of the file then */
  scan(bytes: Readable): Promise<Verdict>;
}

/** There was no word that is known: no answer, another one, or none in time. */
export class ScannerUnavailable extends Error {
  override readonly name = 'ScannerUnavailable';
}
