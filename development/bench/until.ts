import { setTimeout as sleep } from 'node:timers/promises';

interface Polling {
  pollMs: number;
  patienceMs: number;
  /** Message of the error that is thrown after the timeout. */
  otherwise: string;
}

/**
 * Polls until there is a result. @param look resolves with null while there is none. @throws Error after the timeout
 */
export async function until<T>(look: () => Promise<T | null>, { pollMs, patienceMs, otherwise }: Polling): Promise<T> {
  for (const end = performance.now() + patienceMs; performance.now() < end; await sleep(pollMs)) {
    const found = await look();
    if (found !== null) return found;
  }
  throw new Error(otherwise);
}
