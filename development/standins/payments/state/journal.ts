/**
 * An append-only journal with one line per transaction. It is replayed at start, and flushed to disk before a response
 * is sent.
 */
import fs from 'node:fs';
import path from 'node:path';
import type { Write } from './types.js';

const FILE = 'standin.journal';

export class Journal {
  private readonly file: string;
  private descriptor: number;
  private dirty = false;
  private syncing: Promise<void> | null = null;

  constructor(directory: string) {
    fs.mkdirSync(directory, { recursive: true });
    this.file = path.join(directory, FILE);
    this.descriptor = fs.openSync(this.file, 'a');
  }

  /**
   * Passes every complete transaction to `apply`. An incomplete last line is cut off; no response was sent for its
   * transaction.
   */
  replay(apply: (writes: Write[]) => void): void {
    const content = fs.readFileSync(this.file);
    let start = 0;
    for (let end = content.indexOf(10); end !== -1; end = content.indexOf(10, start)) {
      apply(JSON.parse(content.toString('utf8', start, end)) as Write[]);
      start = end + 1;
    }
    if (start < content.length) fs.truncateSync(this.file, start);
  }

  /** Appends one transaction. It survives a crash of the process at once, and of the machine after `flush`. */
  append(writes: Write[]): void {
    fs.writeSync(this.descriptor, `${JSON.stringify(writes)}\n`);
    this.dirty = true;
  }

  /** Resolves when everything appended so far is on disk. Concurrent callers share one sync. */
  async flush(): Promise<void> {
    while (this.syncing) await this.syncing;
    if (!this.dirty) return;
    this.dirty = false;
    this.syncing = new Promise<void>((resolve, reject) => {
      fs.fdatasync(this.descriptor, (error) => (error ? reject(error) : resolve()));
    }).finally(() => {
      this.syncing = null;
    });
    await this.syncing;
  }

  /** Replaces the whole journal by the given rows, atomically. */
  rewrite(rows: Iterable<Write>): void {
    const fresh = `${this.file}.new`;
    const descriptor = fs.openSync(fresh, 'w');
    for (const row of rows) fs.writeSync(descriptor, `${JSON.stringify([row])}\n`);
    fs.fdatasyncSync(descriptor);
    fs.closeSync(descriptor);
    fs.renameSync(fresh, this.file);
    fs.closeSync(this.descriptor);
    this.descriptor = fs.openSync(this.file, 'a');
  }

  /** Flushes and closes the file. */
  async close(): Promise<void> {
    await this.flush();
    fs.closeSync(this.descriptor);
  }
}
