import { setTimeout as sleep } from 'node:timers/promises';

interface Patience {
  pollMs: number;
  patienceMs: number;
  /** What the error says. */
  otherwise: string;
}

/** Looks until there is something to see. @param look resolves with null while there is not. @throws Error when patience ends */
export async function until<T>(look: () => Promise<T | null>, { pollMs, patienceMs, otherwise }: Patience): Promise<T> {
  for (const end = performance.now() + patienceMs; performance.now() < end; await sleep(pollMs)) {
    const found = await look();
    if (found !== null) return found;
  }
  throw new Error(otherwise);
}
