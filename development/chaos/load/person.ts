/** A user of the platform over HTTP, who reacts to failures like a real client. */
import { setTimeout as sleep } from 'node:timers/promises';
import { lsnOfToken } from '../../../models/database/lsn.js';
import type { Answer, Diary } from './diary.js';

export interface Credentials {
  email: string;
  password: string;
  organization: string;
}

const TIMEOUT_MS = 15_000;
const MAX_PAUSE_MS = 6_000;
const NO_ANSWER: Answer = { status: 0, code: '', body: {}, retryAfterMs: 500 };
const WALKED_AWAY: Answer = { ...NO_ANSWER, code: 'walked away' };

/** Reports whether a retry may help: there was no answer, or the platform asked to wait. */
export const isOutage = ({ status }: Answer): boolean => status === 0 || status === 503 || status === 429;

export class Person {
  private token: Promise<string | null> | null = null;
  /** The database position of this person's last write, from the header X-Read-After, where there is a replica. */
  private lastWritePosition: string | null = null;

  constructor(
    private readonly apiUrl: string,
    /** Credentials to sign in with; null for somebody without an account. */
    private readonly credentials: Credentials | null,
    private readonly diary: Diary,
    /** Reports whether the run is over; then requests are not repeated. */
    private readonly dayIsOver: () => boolean,
  ) {}

  /** Sends a request once. @param walksAwayAfterMs time after which the client closes the connection */
  async ask(name: string, method: string, path: string, body?: object, walksAwayAfterMs?: number): Promise<Answer> {
    if (!this.credentials) return this.send(name, method, path, body, {}, walksAwayAfterMs);
    const token = await (this.token ??= this.signIn(this.credentials));
    if (token === null) {
      this.token = null;
      return NO_ANSWER;
    }
    const answer = await this.send(name, method, path, body, { Authorization: `Bearer ${token}` }, walksAwayAfterMs);
    // The next request signs in again.
    if (answer.status === 401 || answer.code === 'step_up_required') this.token = null;
    return answer;
  }

  /** Repeats an idempotent request until it is answered. */
  async insist(name: string, method: string, path: string, body?: object): Promise<Answer> {
    for (;;) {
      const answer = await this.ask(name, method, path, body);
      if ((!isOutage(answer) && answer.status !== 401) || this.dayIsOver()) return answer;
      await this.pauseAfter(answer);
    }
  }

  /** Waits as long as the answer asks for. */
  pauseAfter({ retryAfterMs }: Answer): Promise<void> {
    return sleep(Math.min(retryAfterMs, MAX_PAUSE_MS));
  }

  private async signIn(credentials: Credentials): Promise<string | null> {
    for (;;) {
      const answer = await this.send('sign in', 'POST', '/api/auth/login/', credentials, {});
      if (answer.status === 200) return String(answer.body['access_token']);
      if (!isOutage(answer) || this.dayIsOver()) return null;
      await this.pauseAfter(answer);
    }
  }

  private async send(
    name: string,
    method: string,
    path: string,
    body: object | undefined,
    headers: Record<string, string>,
    patienceMs = TIMEOUT_MS,
  ): Promise<Answer> {
    const answered = this.diary.ask(name);
    const answer = await this.exchange(method, path, body, headers, patienceMs).catch(() => NO_ANSWER);
    answered(answer === NO_ANSWER && patienceMs < TIMEOUT_MS ? WALKED_AWAY : answer);
    return answer;
  }

  private async exchange(
    method: string,
    path: string,
    body: object | undefined,
    headers: Record<string, string>,
    patienceMs: number,
  ): Promise<Answer> {
    const response = await fetch(this.apiUrl + path, {
      method,
      headers: {
        'Content-Type': 'application/json',
        'X-Client': 'native',
        ...(this.lastWritePosition === null ? {} : { 'X-Read-After': this.lastWritePosition }),
        ...headers,
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
      signal: AbortSignal.timeout(patienceMs),
    });
    this.lastWritePosition = laterPosition(this.lastWritePosition, response.headers.get('X-Read-After'));
    const json = (await response.json()) as Record<string, unknown>;
    const retryAfter = Number(response.headers.get('Retry-After'));
    return {
      status: response.status,
      code: typeof json['code'] === 'string' ? json['code'] : '',
      body: json,
      retryAfterMs: retryAfter > 0 ? retryAfter * 1000 : 500,
    };
  }
}

/** Returns the later of two database positions, because concurrent requests may be answered out of order. */
function laterPosition(current: string | null, received: string | null): string | null {
  if (current === null || received === null) return received ?? current;
  const [before, now] = [current, received].map(lsnOfToken);
  // If a position cannot be parsed, the received one is taken.
  return before !== null && now !== null && (before as number) > (now as number) ? current : received;
}
