/** The session of a client: its credentials, and their refresh. */
import type { Events } from './events.js';
import { type Outcome, SessionLock } from './lock.js';
import { errorBodyOf } from './result.js';
import { type Tokens, tokensOf, type TokenStore } from './tokens.js';
import { type Transport, unlessAborted, withDeadline } from './transport.js';

const REFRESH = '/api/auth/token/refresh/';
const LOGOUT = '/api/auth/logout/';
/** Requests that may change the tokens. They run one at a time, so that no refresh uses a replaced token. */
const CHANGES_TOKENS = /\/api\/auth\/(?!token\/refresh\/)/;
/** Refusals that a refresh may resolve. */
const RESOLVABLE = new Set<string>(['not_authenticated', 'token_invalid', 'token_superseded', 'session_ended']);

/** The credentials that a request was sent with. */
interface Credentials {
  headers: Record<string, string>;
  /** Differs after each refresh, sign-in and sign-out. */
  version: string;
}

export interface SessionOptions {
  baseUrl: string;
  session: 'cookies' | TokenStore;
  timeoutMs: number;
}

/** The outcome of a refresh. It has the answer only if this call sent the request. */
export interface Refresh {
  outcome: Outcome;
  answer?: Response | undefined;
}

export class Session {
  private readonly store: TokenStore | undefined;
  private readonly lock: SessionLock;

  constructor(
    private readonly options: SessionOptions,
    private readonly transport: Transport,
    private readonly events: Events,
  ) {
    const { baseUrl, session } = options;
    this.store = session === 'cookies' ? undefined : session;
    this.lock = new SessionLock(`chapter-membership ${baseUrl}`, this.store);
    this.lock.onOtherTab((outcome) => announce(outcome, events));
  }

  private async credentials(): Promise<Credentials> {
    const { mark } = this.lock;
    if (!this.store) return { headers: {}, version: mark };
    const tokens = await this.store.load();
    return {
      headers: { 'X-Client': 'native', ...(tokens && { Authorization: `Bearer ${tokens.access_token}` }) },
      version: `${mark} ${tokens?.access_token ?? ''}`,
    };
  }

  /** Sends a request once, with the credentials; alone, if it may change them. */
  async send(request: Request, deadline: AbortSignal): Promise<{ answer: Response | undefined; version: string }> {
    const { pathname } = new URL(request.url);
    const isAlone = request.method !== 'GET' && CHANGES_TOKENS.test(pathname);
    const attempt = async () => {
      const { headers, version } = await this.credentials();
      for (const [name, value] of Object.entries(headers)) request.headers.set(name, value);
      const answer = await this.transport.send(request, deadline);
      if (isAlone && answer?.ok) await this.keepTokens(pathname, answer);
      return { answer, version };
    };
    if (!isAlone) return attempt();
    // Another request may hold the lock until the time of this one is over, which is then not sent.
    const sent = await unlessAborted(this.lock.run(attempt), deadline);
    return sent ?? { answer: undefined, version: '' };
  }

  private async keepTokens(pathname: string, answer: Response): Promise<void> {
    if (!this.store) return;
    const tokens = pathname.endsWith(LOGOUT) ? null : await tokensOf(answer);
    if (tokens !== undefined) await this.store.save(tokens);
  }

  /** Whether new tokens may change this answer. */
  async mayRefresh(answer: Response): Promise<boolean> {
    return answer.status === 401 && RESOLVABLE.has((await errorBodyOf(answer))?.code ?? '');
  }

  /**
   * Gets new tokens. Of all calls of the process and of all tabs, one at a time refreshes; those that wait use its
   * outcome.
   * @param version of the credentials that were refused
   */
  refresh(version: string): Promise<Refresh> {
    return this.lock.run(async () => {
      await this.lock.catchUp();
      const tokens = await this.store?.load();
      const current = await this.credentials();
      if (current.version !== version) return { outcome: this.outcomeSince(version, tokens) };
      if (this.store && !tokens) return { outcome: 'ended' };
      return this.refreshNow(tokens ?? undefined);
    });
  }

  /** Returns the outcome of the refresh by which another call or tab replaced the credentials of this version. */
  private outcomeSince(version: string, tokens: Tokens | null | undefined): Outcome {
    if (tokens === null) return 'ended';
    return version.startsWith(this.lock.mark) ? 'renewed' : this.lock.lastOutcome;
  }

  private async refreshNow(tokens: Tokens | undefined): Promise<Refresh> {
    const { baseUrl, timeoutMs } = this.options;
    const body = tokens && { refresh_token: tokens.refresh_token, restore_token: tokens.restore_token };
    const request = new Request(baseUrl + REFRESH, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...(tokens && { 'X-Client': 'native' }) },
      credentials: this.requestCredentials,
      body: JSON.stringify(body ?? {}),
    });
    const answer = await withDeadline(timeoutMs, undefined, (deadline) => this.transport.send(request, deadline));
    const outcome = outcomeOf(answer);
    if (this.store && answer?.ok) await this.store.save(await renewedTokens(answer, outcome, tokens));
    if (this.store && outcome === 'ended') await this.store.save(null);
    await this.lock.record(outcome);
    announce(outcome, this.events);
    return { outcome, answer };
  }

  /** Whether requests send cookies. With a bearer token they must not, because the API uses the cookie first. */
  get requestCredentials(): RequestCredentials {
    return this.store ? 'omit' : 'include';
  }
}

function outcomeOf(answer: Response | undefined): Outcome {
  if (answer?.ok) return answer.headers.has('X-Impersonation-Ended') ? 'restored' : 'renewed';
  return answer?.status === 401 ? 'ended' : 'failed';
}

/** An impersonation that continues keeps its restore token. */
async function renewedTokens(answer: Response, outcome: Outcome, before: Tokens | undefined): Promise<Tokens | null> {
  const tokens = await tokensOf(answer);
  if (!tokens) return null;
  const { restore_token } = before ?? {};
  return outcome === 'renewed' && restore_token !== undefined ? { ...tokens, restore_token } : tokens;
}

function announce(outcome: Outcome, events: Events): void {
  if (outcome === 'restored') events.emit('impersonationEnded');
  if (outcome === 'ended') events.emit('sessionEnded');
}
