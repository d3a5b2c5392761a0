/** Tests whether a store does all that files need, step by step, with a test object that is deleted afterwards. */
import { randomBytes } from 'node:crypto';
import http from 'node:http';
import https from 'node:https';
import { Readable } from 'node:stream';
import { agentsFor } from './agents.js';
import { type StoragePort, StorageUnavailable } from './port.js';
import type { S3Settings } from './s3.js';

/** The steps of a store test, in their order. */
export const STORE_STEPS = ['connect', 'write', 'read', 'checksum', 'signed_url', 'delete'] as const;
export type StoreStep = (typeof STORE_STEPS)[number];

export interface StoreTrial {
  /** The step at which the test failed; null if the test succeeded. */
  failed_step: StoreStep | null;
  /**
   * The error code of the store at the failed step, or the name of an error: one word, never its text. Null if the test
   * succeeded.
   */
  answer: string | null;
}

const TIMEOUT_MS = 20_000;
const BYTES = 1_000;

/**
 * Runs the test, within 20 s.
 * @param key a key that does not exist
 */
export async function tryStore(settings: S3Settings, key: string): Promise<StoreTrial> {
  const trial = new Trial(settings, key);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(
      () => fail(Object.assign(new Error('The store did not answer in time.'), { code: 'timeout' })),
      TIMEOUT_MS,
    );
  });
  try {
    await Promise.race([trial.run(), late]);
    return { failed_step: null, answer: null };
  } catch (error) {
    return trial.failure(error);
  } finally {
    clearTimeout(timer);
    trial.end();
  }
}

class Trial {
  private step: StoreStep = 'connect';
  private store: StoragePort | null = null;
  private readonly agents: { destroy(): void }[] = [];

  constructor(
    private readonly settings: S3Settings,
    private readonly key: string,
  ) {}

  async run(): Promise<void> {
    const bytes = randomBytes(BYTES);
    const { ownStore } = await import('./ownStore.js');
    const store = (this.store = ownStore(this.settings));
    this.step = 'write';
    await store.put(this.key, Readable.from([bytes]));
    try {
      await this.readBack(store, bytes);
    } catch (error) {
      // Delete the test object, and report the first error even if the deletion fails.
      await store.remove(this.key).catch(() => undefined);
      throw error;
    }
    this.step = 'delete';
    await store.remove(this.key);
  }

  /** Returns the result of a failed test. Before the first response the failed step is `connect`. */
  failure(error: unknown): StoreTrial {
    const cause = (error instanceof StorageUnavailable && error.cause) || error;
    const { name, code, $metadata } = cause as Error & { code?: string; $metadata?: { httpStatusCode?: number } };
    const answered = $metadata?.httpStatusCode !== undefined;
    const failed_step = this.step === 'write' && !answered && code !== 'timeout' ? 'connect' : this.step;
    const errorCode = answered ? name : (code ?? name);
    return { failed_step, answer: /^[A-Za-z0-9_.]{1,60}$/.test(errorCode) ? errorCode : 'unknown' };
  }

  end(): void {
    this.store?.close();
    this.agents.forEach((agent) => agent.destroy());
  }

  private async readBack(store: StoragePort, bytes: Buffer): Promise<void> {
    this.step = 'read';
    const read = await readAtMost(BYTES, await store.get(this.key));
    this.step = 'checksum';
    requireSame(read, bytes);
    this.step = 'signed_url';
    const address = await store.signedUrl(this.key, { name: 'test', mediaType: 'text/plain', seconds: 60 });
    requireSame(await this.download(address), bytes);
  }

  /** Fetches like a browser, but only from allowed addresses. */
  private async download(address: string): Promise<Buffer> {
    const { httpAgent, httpsAgent } = agentsFor(this.settings.endpoint);
    const [asking, agent] = address.startsWith('https:') ? [https, httpsAgent] : [http, httpAgent];
    this.agents.push(agent);
    const answer = await new Promise<http.IncomingMessage>((done, fail) =>
      asking.get(address, { agent, timeout: TIMEOUT_MS }, done).once('error', fail),
    );
    if (answer.statusCode !== 200) throw failureWithCode(`HTTP_${answer.statusCode}`);
    return await readAtMost(BYTES, answer);
  }
}

const failureWithCode = (code: string): Error =>
  Object.assign(new Error('The store returned an unexpected response.'), { code });

function requireSame(read: Buffer, written: Buffer): void {
  if (!read.equals(written)) throw failureWithCode('other_bytes');
}

async function readAtMost(maxBytes: number, bytes: Readable): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of bytes as AsyncIterable<Buffer>) {
    size += part.length;
    // A response that is too long counts as different bytes.
    if (size > maxBytes) return Buffer.alloc(0);
    parts.push(part);
  }
  return Buffer.concat(parts);
}
