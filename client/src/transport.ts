/** Sends single requests, and reads their whole answers. */

export type Fetch = (request: Request, init?: RequestInit) => Promise<Response>;

export class Transport {
  /** Position of the last change, which a read replica must have reached. */
  private readAfter: string | undefined;

  constructor(private readonly fetch: Fetch) {}

  /** Sends a request once. @returns its complete answer, or undefined when none arrived */
  async send(request: Request, signal: AbortSignal): Promise<Response | undefined> {
    if (signal.aborted) return undefined;
    if (this.readAfter !== undefined) request.headers.set('X-Read-After', this.readAfter);
    try {
      const answer = await this.fetch(request, { signal });
      const bytes = await answer.arrayBuffer();
      this.readAfter = answer.headers.get('X-Read-After') ?? this.readAfter;
      return new Response(bytes.byteLength > 0 ? bytes : null, answer);
    } catch {
      return undefined;
    }
  }
}

/** Runs work with a signal that aborts after a time, or together with another signal. */
export async function withDeadline<T>(
  timeoutMs: number,
  signal: AbortSignal | undefined,
  work: (deadline: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const abort = () => controller.abort();
  const timer = setTimeout(abort, timeoutMs);
  signal?.addEventListener('abort', abort);
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

/** Waits for a promise. @returns undefined when the signal aborts first */
export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const stop = () => resolve(undefined);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop);
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

export const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
