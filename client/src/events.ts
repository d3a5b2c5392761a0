/** Events of a session. */

/**
 * - `sessionEnded`: the session has ended; the user must sign in again.
 * - `impersonationEnded`: the impersonation has ended, and the session is the admin's own again.
 */
export type ClientEvent = 'sessionEnded' | 'impersonationEnded';

export class Events {
  private readonly listeners = new Map<ClientEvent, Set<() => void>>();

  /** Adds a listener. @returns a function that removes it */
  on(event: ClientEvent, listener: () => void): () => void {
    const listeners = this.listeners.get(event) ?? new Set();
    this.listeners.set(event, listeners.add(listener));
    return () => void listeners.delete(listener);
  }

  emit(event: ClientEvent): void {
    for (const listener of this.listeners.get(event) ?? []) listener();
  }
}
