/** Somebody who uses the platform over HTTP, and does when it fails what real clients do. */
import { setTimeout as sleep } from 'node:timers/promises';
import { positionOf } from '../../../models/database/positions.js';
import type { Answer, Diary } from './diary.js';

export interface Credentials {
  email: string;
  password: string;
  organization: string;
}

const PATIENCE_MS = 15_000;
const LONGEST_PAUSE_MS = 6_000;
const NO_ANSWER: Answer = { status: 0, code: '', body: {}, retryAfterMs: 500 };
const WALKED_AWAY: Answer = { ...NO_ANSWER, code: 'walked away' };

/** Whether asking again may help: the platform was not there, or asked to be left alone for a while. */
export const isOutage = ({ status }: Answer): boolean => status === 0 || status === 503 || status === 429;

export class Person {
  private token: Promise<string | null> | null = null;
  /** How far they have written, as answers say where there is a replica. */
  private written: string | null = null;

  constructor(
    private readonly apiUrl: string,
    private readonly credentials: Credentials,
    private readonly diary: Diary,
    /** Set when the day is over: nobody asks again then. */
    private readonly dayIsOver: () => boolean,
  ) {}

  /** Asks once. @param walksAwayAfterMs when the person does not wait for the answer */
  async ask(name: string, method: string, path: string, body?: object, walksAwayAfterMs?: number): Promise<Answer> {
    const token = await (this.token ??= this.signIn());
    if (token === null) {
      this.token = null;
      return NO_ANSWER;
    }
    const answer = await this.send(name, method, path, body, { Authorization: `Bearer ${token}` }, walksAwayAfterMs);
    // The next request signs in again.
    if (answer.status === 401) this.token = null;
    return answer;
  }

  /** Asks until there is an answer, for requests that do no harm when they are repeated. */
  async insist(name: string, method: string, path: string, body?: object): Promise<Answer> {
    for (;;) {
      const answer = await this.ask(name, method, path, body);
      if ((!isOutage(answer) && answer.status !== 401) || this.dayIsOver()) return answer;
      await this.pauseAfter(answer);
    }
  }

  /** Waits as long as the answer asks for. */
  pauseAfter({ retryAfterMs }: Answer): Promise<void> {
    return sleep(Math.min(retryAfterMs, LONGEST_PAUSE_MS));
  }

  private async signIn(): Promise<string | null> {
    for (;;) {
      const answer = await this.send('sign in', 'POST', '/api/auth/login/', this.credentials, {});
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
    patienceMs = PATIENCE_MS,
  ): Promise<Answer> {
    const answered = this.diary.ask(name);
    const answer = await this.exchange(method, path, body, headers, patienceMs).catch(() => NO_ANSWER);
    answered(answer === NO_ANSWER && patienceMs < PATIENCE_MS ? WALKED_AWAY : answer);
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
        ...(this.written === null ? {} : { 'X-Read-After': this.written }),
        ...headers,
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
      signal: AbortSignal.timeout(patienceMs),
    });
    this.written = later(this.written, response.headers.get('X-Read-After'));
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

/** Several of them ask at once, and answers may overtake one another: what is further holds for all. */
function later(known: string | null, told: string | null): string | null {
  if (known === null || told === null) return told ?? known;
  const [before, now] = [known, told].map(positionOf);
  // What is not known is given back as it is, until something is.
  return before !== null && now !== null && (before as number) > (now as number) ? known : told;
}
