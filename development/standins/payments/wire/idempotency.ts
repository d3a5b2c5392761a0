/** Idempotency keys: the first response is stored for a day and replayed; conflicting requests are refused. */
import { createHash } from 'node:crypto';
import type { Store } from '../state/store.js';
import type { IdempotencyRow } from '../state/types.js';
import { ApiError, docUrl } from './errors.js';
import { canonical, type FormMap } from './form.js';

export const RETENTION_MS = 24 * 3_600_000;

/**
 * Result of acquiring an idempotency key. It has either a stored response to replay, or the right to execute the
 * request until the key is released.
 */
export interface Slot {
  replay: IdempotencyRow | null;
  save: (status: number, body: string, requestId: string) => void;
  release: () => void;
}

/** The slot of a request without a key. */
export const NO_KEY: Slot = { replay: null, save: () => {}, release: () => {} };

/** Returns the same digest for the same request, independent of the order of its parameters. */
export function fingerprintOf(method: string, path: string, params: FormMap): string {
  return createHash('sha256')
    .update(`${method} ${path} ${canonical(params)}`)
    .digest('hex');
}

export class Idempotency {
  private readonly inFlight = new Map<string, string>();

  constructor(
    private readonly store: Store,
    private readonly now: () => number,
  ) {}

  /** Acquires the key for a request. @throws ApiError when the key is in use or belongs to a different request */
  begin(account: string, key: string, fingerprint: string): Slot {
    const name = `${account} ${key}`;
    const stored = this.store.get('idempotency', name);
    const fresh = stored && this.now() - stored.at < RETENTION_MS ? stored : null;
    const knownFingerprint = fresh?.fingerprint ?? this.inFlight.get(name);
    if (knownFingerprint !== undefined && knownFingerprint !== fingerprint) throw keyReused(key);
    if (fresh) return { ...NO_KEY, replay: fresh };
    if (knownFingerprint !== undefined) throw keyInUse(key);
    this.inFlight.set(name, fingerprint);
    let isHeld = true;
    return {
      replay: null,
      save: (status, body, requestId) => {
        this.store.put('idempotency', name, { fingerprint, status, body, requestId, at: this.now() });
      },
      release: () => {
        // Release the key only once. After the first release another request may hold it, and a second release would
        // take it away.
        if (isHeld) this.inFlight.delete(name);
        isHeld = false;
      },
    };
  }

  clear(): void {
    this.inFlight.clear();
  }
}

function keyReused(key: string): ApiError {
  const message = `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`;
  return new ApiError(400, { type: 'idempotency_error', message });
}

function keyInUse(key: string): ApiError {
  const code = 'idempotency_key_in_use';
  const message = `Another request with the idempotency key '${key}' is still in progress. Try again later.`;
  return new ApiError(409, { type: 'invalid_request_error', code, message, doc_url: docUrl(code) });
}
