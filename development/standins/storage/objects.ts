/**
 * Objects as files in a folder. Each is written to a temporary file and then renamed, so that it appears atomically.
 */
import { createHash, randomUUID } from 'node:crypto';
import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import path from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';

export class Objects {
  constructor(private readonly folder: string) {
    rmSync(path.join(folder, 'aside'), { recursive: true, force: true });
    for (const name of ['objects', 'aside', 'parts']) mkdirSync(path.join(folder, name), { recursive: true });
  }

  /**
   * Stores an object.
   * @param expected the digest that the request signed; null when it signed none
   * @returns the ETag; null when the bytes do not match the digest
   */
  async put(key: string, bytes: Readable, expected: string | null): Promise<string | null> {
    return this.write(this.fileOf(key), bytes, expected);
  }

  begin(): string {
    const id = randomUUID();
    mkdirSync(this.partsOf(id));
    return id;
  }

  hasUpload(upload: string): boolean {
    return /^[0-9a-f-]{36}$/.test(upload) && existsSync(this.partsOf(upload));
  }

  putPart(upload: string, part: number, bytes: Readable, expected: string | null): Promise<string | null> {
    return this.write(path.join(this.partsOf(upload), String(part).padStart(5, '0')), bytes, expected);
  }

  /** Concatenates the parts to one object. */
  async complete(upload: string, key: string): Promise<string> {
    const folder = this.partsOf(upload);
    const temporary = this.temporaryFile();
    for (const part of readdirSync(folder).sort())
      await pipeline(createReadStream(path.join(folder, part)), createWriteStream(temporary, { flags: 'a' }));
    renameSync(temporary, this.fileOf(key));
    this.abort(upload);
    return randomUUID().replaceAll('-', '');
  }

  abort(upload: string): void {
    rmSync(this.partsOf(upload), { recursive: true, force: true });
  }

  remove(key: string): void {
    rmSync(this.fileOf(key), { force: true });
  }

  /** Returns an object's size and content; null when there is no such object. */
  read(key: string): { size: number; bytes: () => Readable } | null {
    const file = this.fileOf(key);
    return existsSync(file) ? { size: statSync(file).size, bytes: () => createReadStream(file) } : null;
  }

  keys(): string[] {
    return readdirSync(path.join(this.folder, 'objects')).map(decodeURIComponent).sort();
  }

  private async write(file: string, bytes: Readable, expected: string | null): Promise<string | null> {
    const temporary = this.temporaryFile();
    const [sha256, md5] = [createHash('sha256'), createHash('md5')];
    const reading = new Transform({
      transform(chunk: Buffer, _encoding, next) {
        sha256.update(chunk);
        md5.update(chunk);
        next(null, chunk);
      },
    });
    await pipeline(bytes, reading, createWriteStream(temporary));
    if (expected !== null && expected !== sha256.digest('hex')) {
      rmSync(temporary);
      return null;
    }
    renameSync(temporary, file);
    return md5.digest('hex');
  }

  private fileOf = (key: string) => path.join(this.folder, 'objects', encodeURIComponent(key));
  private partsOf = (upload: string) => path.join(this.folder, 'parts', upload);
  private temporaryFile = () => path.join(this.folder, 'aside', randomUUID());
}
