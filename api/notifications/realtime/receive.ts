/** Messages of clients. Each message is answered before the next one is handled. */
import type { RawData } from 'ws';
import { withRequestLimits } from '../../../models/database/connectionQuota.js';
import { inTenant } from '../../../models/database/tenancy.js';
import { log } from '../../../models/log.js';
import { findListeners } from '../../../models/notifications/realtime/topics.js';
import type { LiveSocket } from './liveSocket.js';
import { subscribe, unsubscribe } from './openSockets.js';
import { ClientMessage } from './schema.js';

const MAX_TOPICS = 50;
/** The maximum number of messages in a minute. A client that sends more is disconnected. */
const MAX_MESSAGES_PER_MINUTE = 120;
const MINUTE_MS = 60_000;

/** Answers the messages of a connection until it is closed. */
export function receive(socket: LiveSocket): void {
  let answered = Promise.resolve();
  let count = 0;
  let until = 0;
  socket.connection.on('message', (data: RawData, isBinary: boolean) => {
    const now = performance.now();
    if (now > until) [count, until] = [0, now + MINUTE_MS];
    count += 1;
    if (count > MAX_MESSAGES_PER_MINUTE) return socket.end('invalid');
    const text = isBinary ? '' : (data as Buffer).toString();
    answered = answered.then(() => answer(socket, text));
  });
}

async function answer(socket: LiveSocket, text: string): Promise<void> {
  const message = parse(text);
  if (!message) return refuse(socket, 'invalid_message', 'Send {"type": "subscribe", "topic": "<name>:<id>"} as text.');
  const { type, topic } = message;
  if (type === 'unsubscribe') {
    unsubscribe(socket, topic);
    return socket.send('unsubscribed', { topic });
  }
  if (socket.topics.size >= MAX_TOPICS && !socket.topics.has(topic))
    return refuse(socket, 'too_many_topics', `A connection has at most ${MAX_TOPICS} topics.`, topic);
  try {
    const { organizationId, userId } = socket.holder;
    const listeners = await withRequestLimits(organizationId, () =>
      inTenant(organizationId, () => findListeners(topic, [userId]), { readOnly: true }),
    );
    if (!listeners.has(userId)) return refuse(socket, 'unknown_topic', 'There is no such topic.', topic);
    subscribe(socket, topic);
    socket.send('subscribed', { topic });
  } catch (error) {
    log.warn({ err: error }, 'a subscription failed');
    refuse(socket, 'unavailable', 'Try again shortly.', topic);
  }
}

function parse(text: string) {
  try {
    return ClientMessage.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

const refuse = (socket: LiveSocket, code: string, detail: string, topic?: string): void =>
  socket.send('error', { code, detail, ...(topic !== undefined && { topic }) });
