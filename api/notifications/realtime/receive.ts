/** What clients say on their connection. Each message is answered before the next is looked at. */
import type { RawData } from 'ws';
import { asRequestOf } from '../../../models/database/requests.js';
import { inTenant } from '../../../models/database/tenancy.js';
import { log } from '../../../models/log.js';
import { mayHear } from '../../../models/notifications/realtime/topics.js';
import type { LiveSocket } from './liveSocket.js';
import { ClientMessage } from './schema.js';

const MOST_TOPICS = 50;
/** Who says more in a minute is not heard any more. */
const MOST_A_MINUTE = 120;
const MINUTE_MS = 60_000;

/** Answers what comes on the connection until it is closed. */
export function receive(socket: LiveSocket): void {
  let answered = Promise.resolve();
  let heard = 0;
  let until = 0;
  socket.connection.on('message', (data: RawData, isBinary: boolean) => {
    const now = performance.now();
    if (now > until) [heard, until] = [0, now + MINUTE_MS];
    heard += 1;
    if (heard > MOST_A_MINUTE) return socket.end('invalid');
    const text = isBinary ? '' : (data as Buffer).toString();
    answered = answered.then(() => answer(socket, text));
  });
}

async function answer(socket: LiveSocket, text: string): Promise<void> {
  const message = parse(text);
  if (!message) return refuse(socket, 'invalid_message', 'Send {"type": "subscribe", "topic": "<name>:<id>"} as text.');
  const { type, topic } = message;
  if (type === 'unsubscribe') {
    socket.topics.delete(topic);
    return socket.send('unsubscribed', { topic });
  }
  if (socket.topics.size >= MOST_TOPICS && !socket.topics.has(topic))
    return refuse(socket, 'too_many_topics', `A connection has at most ${MOST_TOPICS} topics.`, topic);
  try {
    const { organizationId, userId } = socket.holder;
    const hearers = await asRequestOf(organizationId, () =>
      inTenant(organizationId, () => mayHear(topic, [userId]), { readOnly: true }),
    );
    if (!hearers?.includes(userId)) return refuse(socket, 'unknown_topic', 'There is no such topic.', topic);
    socket.topics.add(topic);
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
