/** Sessions at the stand-in, by cookie, with the service providers that each has used. */
import { newId } from './provider.js';
import type { Exchange } from '../kit/exchange.js';

export interface SignedIn {
  email: string;
  authenticatedAt: number;
  sessionIndex: string;
  /** Entity ids of the service providers. */
  serviceProviders: Set<string>;
}

const COOKIE = 'saml_standin';

export class People {
  private readonly sessions = new Map<string, SignedIn>();

  personOf(exchange: Exchange): SignedIn | undefined {
    const cookies = (exchange.header('cookie') ?? '').split(/;\s*/).map((pair) => pair.split('='));
    return this.sessions.get(cookies.find(([name]) => name === COOKIE)?.[1] ?? '');
  }

  /**
   * Starts a session.
   * @returns the session and the cookie header
   */
  signIn(email: string): { person: SignedIn; headers: Record<string, string> } {
    const id = newId();
    const person = { email, authenticatedAt: Date.now(), sessionIndex: newId(), serviceProviders: new Set<string>() };
    this.sessions.set(id, person);
    return { person, headers: { 'Set-Cookie': `${COOKIE}=${id}; Path=/; HttpOnly; SameSite=Lax` } };
  }

  /** Ends the session with this index, or without an index all sessions of the address. */
  signOut(email: string, sessionIndex: string | undefined): void {
    for (const [id, person] of this.sessions)
      if (person.email === email && (!sessionIndex || person.sessionIndex === sessionIndex)) this.sessions.delete(id);
  }
}
