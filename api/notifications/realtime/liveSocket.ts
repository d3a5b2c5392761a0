/** One WebSocket connection of a client: sends events to it, remembers which events were sent, and closes it. */
import { WebSocket } from 'ws';
import {
  MAX_SENT_SINGLY,
  type UnreadState,
  type LiveNotification,
} from '../../../models/notifications/realtime/readForConnected.js';
import type { SocketHolder } from '../../../models/notifications/realtime/checkHolders.js';
import { withUniformTimestamps } from '../../http/timestamps.js';
import { countEvent, type Ending } from './metrics.js';

/**
 * The maximum of unsent bytes. A client above it does not read, and its buffer would fill the memory of the process.
 */
const MAX_BUFFERED_BYTES = 1_048_576;
/** The number of event ids that are remembered, so that no event is sent twice. */
const MAX_REMEMBERED_IDS = 200;
export const HEARTBEAT_SECONDS = 30;

/** Close codes with their reasons (RFC 6455, 7.4). */
const CLOSINGS = {
  ended: [4401, 'session_ended'],
  restarting: [1012, 'restarting'],
  failed: [1013, 'try_again'],
  invalid: [1008, 'too_many_messages'],
} as const;

export class LiveSocket {
  readonly topics = new Set<string>();
  /** Why the connection ends; `client` if the client closes it. */
  ending: Ending = 'client';
  private readonly sent = new Set<string>();
  /** Events that arrived before the `hello` message; null afterwards. */
  private queued: (() => void)[] | null = [];
  private unreadState: UnreadState | undefined;
  /** Whether an event could not be sent. */
  private stale = false;
  private isAlive = true;

  constructor(
    readonly connection: WebSocket,
    readonly holder: SocketHolder,
  ) {
    connection.on('pong', () => (this.isAlive = true));
    // ws closes the connection itself after an invalid message: too large (1009) or not UTF-8 (1007).
    connection.on('error', () => (this.ending = 'invalid'));
  }

  /**
   * Sends the first message.
   * @param missedEvents events since the last connection; null: too many, so the client has to reload the list
   */
  welcome(state: UnreadState, missedEvents: readonly LiveNotification[] | null): void {
    const { userId, organizationId } = this.holder;
    this.send('hello', {
      user_id: userId,
      organization_id: organizationId,
      newest: state.newest,
      heartbeat_seconds: HEARTBEAT_SECONDS,
    });
    const early = this.queued ?? [];
    this.queued = null;
    if (missedEvents === null) this.resync();
    for (const missedEvent of missedEvents ?? []) this.created(missedEvent);
    this.counts(state);
    for (const sendEvent of early) sendEvent();
  }

  created({ id, quiet, json }: LiveNotification): void {
    this.afterWelcome(() => {
      if (this.sent.has(id)) return;
      this.rememberId(id);
      const type = 'notification.created';
      this.put(type, `{"type":"${type}","quiet":${quiet},"notification":${withUniformTimestamps(json)}}`);
    });
  }

  /** Sends the ids of notifications that were read on any device. */
  read(ids: readonly string[]): void {
    this.afterWelcome(() => this.send('notification.read', { ids }));
  }

  counts(state: UnreadState): void {
    this.afterWelcome(() => {
      this.unreadState = state;
      const { unread_count, action_required_count } = state;
      this.send('counts', { unread_count, action_required_count });
    });
  }

  /** Sends an event of a topic, as JSON. */
  published(topic: string, event: string): void {
    this.put('published', `{"type":"published","topic":${JSON.stringify(topic)},"event":${event}}`);
  }

  /** Tells the client to reload the list, because there are more events than are sent. */
  resync(): void {
    this.afterWelcome(() => this.send('resync', {}));
  }

  /** Records that an event could not be sent. The next check sends `resync`. */
  markStale(): void {
    this.stale = true;
  }

  /** Compares the state that a check found with the state that was sent. A difference means that events were lost. */
  compareState(state: UnreadState): void {
    const { unreadState: sentState, sent } = this;
    if (!sentState) return;
    const isNew = state.newest !== sentState.newest && !sent.has(state.newest ?? '');
    this.unreadState = state;
    if (isNew || state.unread_count !== sentState.unread_count || this.stale) this.resync();
    this.stale = false;
  }

  send(type: string, fields: object): void {
    this.put(type, JSON.stringify({ type, ...fields }));
  }

  /** Closes the connection with a close frame. */
  end(ending: keyof typeof CLOSINGS): void {
    this.ending = ending;
    const [code, reason] = CLOSINGS[ending];
    this.connection.close(code, reason);
  }

  /** Drops the connection without a close frame. */
  drop(ending: Ending): void {
    this.ending = ending;
    this.connection.terminate();
  }

  /** Drops the connection if the last ping was not answered, and sends the next ping. */
  checkHeartbeat(): void {
    if (!this.isAlive) return this.drop('silent');
    this.isAlive = false;
    this.connection.ping();
  }

  private afterWelcome(sendEvent: () => void): void {
    if (!this.queued) sendEvent();
    else if (this.queued.length < MAX_SENT_SINGLY) this.queued.push(sendEvent);
    else this.stale = true;
  }

  private put(type: string, text: string): void {
    if (this.connection.readyState !== WebSocket.OPEN) return;
    if (this.connection.bufferedAmount + text.length > MAX_BUFFERED_BYTES) return this.drop('slow');
    this.connection.send(text);
    countEvent(type);
  }

  private rememberId(id: string): void {
    this.sent.add(id);
    const [oldest] = this.sent;
    if (this.sent.size > MAX_REMEMBERED_IDS && oldest !== undefined) this.sent.delete(oldest);
  }
}
