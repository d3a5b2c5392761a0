/** One connection: what it was told, what it is told next, and how it ends. */
import { WebSocket } from 'ws';
import { MOST_AT_ONCE, type Standing, type ToldNow } from '../../../models/notifications/realtime/readForConnected.js';
import type { SocketHolder } from '../../../models/notifications/realtime/standingSockets.js';
import { withUniformMoments } from '../../http/timestamps.js';
import { countEvent, type Ending } from './metrics.js';

/** Whoever is so far behind does not read: what is kept for them would fill the process. */
const MOST_BEHIND_BYTES = 1_048_576;
/** Ids of the newest events, so that none comes twice. */
const MOST_REMEMBERED = 200;
export const HEARTBEAT_SECONDS = 30;

/** Codes of closing, each with what the client is told (RFC 6455, 7.4). */
const CLOSINGS = {
  ended: [4401, 'session_ended'],
  restarting: [1012, 'restarting'],
  failed: [1013, 'try_again'],
  invalid: [1008, 'too_many_messages'],
} as const;

export class LiveSocket {
  readonly topics = new Set<string>();
  /** Why it ends, where it is not the client who leaves. */
  ending: Ending = 'client';
  private readonly sent = new Set<string>();
  /** What came while it was not welcome yet; null afterwards. */
  private early: (() => void)[] | null = [];
  private standing: Standing | undefined;
  /** Something could not be told. */
  private stale = false;
  private answers = true;

  constructor(
    readonly connection: WebSocket,
    readonly holder: SocketHolder,
  ) {
    connection.on('pong', () => (this.answers = true));
    // What the client may not send ends the connection by itself: too much at once (1009), text that is none (1007).
    connection.on('error', () => (this.ending = 'invalid'));
  }

  /** The first that it hears. @param missed what came since it was last connected; null: it has to look itself */
  welcome(standing: Standing, missed: readonly ToldNow[] | null): void {
    const { userId, organizationId } = this.holder;
    this.send('hello', {
      user_id: userId,
      organization_id: organizationId,
      newest: standing.newest,
      heartbeat_seconds: HEARTBEAT_SECONDS,
    });
    const early = this.early ?? [];
    this.early = null;
    if (missed === null) this.resync();
    for (const told of missed ?? []) this.created(told);
    this.counts(standing);
    for (const tell of early) tell();
  }

  created({ id, quiet, json }: ToldNow): void {
    this.whenWelcome(() => {
      if (this.sent.has(id)) return;
      this.remember(id);
      const type = 'notification.created';
      this.put(type, `{"type":"${type}","quiet":${quiet},"notification":${withUniformMoments(json)}}`);
    });
  }

  /** What was read, here or elsewhere. */
  read(ids: readonly string[]): void {
    this.whenWelcome(() => this.send('notification.read', { ids }));
  }

  counts(standing: Standing): void {
    this.whenWelcome(() => {
      this.standing = standing;
      const { unread_count, action_required_count } = standing;
      this.send('counts', { unread_count, action_required_count });
    });
  }

  /** There is more than is told here: the list has it. */
  resync(): void {
    this.whenWelcome(() => this.send('resync', {}));
  }

  /** Something could not be told: the next check says so. */
  missed(): void {
    this.stale = true;
  }

  /** What a check found: where it differs from what was told, something was lost. */
  stands(standing: Standing): void {
    const { standing: told, sent } = this;
    if (!told) return;
    const isNew = standing.newest !== told.newest && !sent.has(standing.newest ?? '');
    this.standing = standing;
    if (isNew || standing.unread_count !== told.unread_count || this.stale) this.resync();
    this.stale = false;
  }

  send(type: string, fields: object): void {
    this.put(type, JSON.stringify({ type, ...fields }));
  }

  /** Ends it in order. */
  end(ending: keyof typeof CLOSINGS): void {
    this.ending = ending;
    const [code, reason] = CLOSINGS[ending];
    this.connection.close(code, reason);
  }

  /** Ends it at once. */
  drop(ending: Ending): void {
    this.ending = ending;
    this.connection.terminate();
  }

  /** Who has not answered since the last time is gone. */
  beat(): void {
    if (!this.answers) return this.drop('silent');
    this.answers = false;
    this.connection.ping();
  }

  private whenWelcome(tell: () => void): void {
    if (!this.early) tell();
    else if (this.early.length < MOST_AT_ONCE) this.early.push(tell);
    else this.stale = true;
  }

  private put(type: string, text: string): void {
    if (this.connection.readyState !== WebSocket.OPEN) return;
    if (this.connection.bufferedAmount + text.length > MOST_BEHIND_BYTES) return this.drop('slow');
    this.connection.send(text);
    countEvent(type);
  }

  private remember(id: string): void {
    this.sent.add(id);
    const [oldest] = this.sent;
    if (this.sent.size > MOST_REMEMBERED && oldest !== undefined) this.sent.delete(oldest);
  }
}
