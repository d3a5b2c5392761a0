/** Reads who hears of events of topics, and sends them. */
import type { Announcement, EventFacts, TopicEvent } from '../../../models/notifications/realtime/announcements.js';
import { MAX_SENT_SINGLY } from '../../../models/notifications/realtime/readForConnected.js';
import { findListeners } from '../../../models/notifications/realtime/topics.js';
import type { LiveSocket } from './liveSocket.js';
import { subscribersOf, unsubscribe } from './openSockets.js';

/** Events of a topic, with the subscribers that it had when their access was read. */
export interface PublishedEvents {
  topic: string;
  events: { event: TopicEvent; facts: EventFacts }[];
  subscribers: LiveSocket[];
  /** For each person with access to the topic, the positions of the events that the person hears of. */
  listeners: Map<string, number[]>;
}

/** Reads who hears of published events, in one statement for each topic. */
export async function readPublished(
  organization: string,
  announcements: readonly Extract<Announcement, { kind: 'published' }>[],
): Promise<PublishedEvents[]> {
  const byTopic = new Map<string, PublishedEvents['events']>();
  for (const { topic, event, facts } of announcements)
    byTopic.set(topic, [...(byTopic.get(topic) ?? []), { event, facts }]);
  const published: PublishedEvents[] = [];
  for (const [topic, events] of byTopic) {
    const subscribers = [...subscribersOf(organization, topic)];
    if (subscribers.length === 0) continue;
    const users = [...new Set(subscribers.map(({ holder }) => holder.userId))];
    published.push({ topic, events, subscribers, listeners: await findListeners(topic, users, events) });
  }
  return published;
}

/** Sends events of a topic, each once. A subscriber who may not receive them any more is unsubscribed instead. */
export function sendPublished(socket: LiveSocket, { topic, events, listeners }: PublishedEvents): void {
  if (!socket.topics.has(topic)) return;
  const heard = listeners.get(socket.holder.userId);
  if (!heard) {
    unsubscribe(socket, topic);
    return socket.send('unsubscribed', { topic });
  }
  const texts = new Set(heard.map((position) => JSON.stringify(events[position]?.event)));
  if (texts.size > MAX_SENT_SINGLY) return socket.resync();
  for (const text of texts) socket.published(topic, text);
}
