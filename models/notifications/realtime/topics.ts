/**
 * Topics to which clients may subscribe, in addition to their own notifications: `<name>:<id>`. An area declares its
 * topics, and publishes to them in the transaction that changes the subject:
 *
 *     defineTopics({ chapter: { access: `(SELECT true FROM chapters c WHERE c.id = w.subject_id AND …)` } });
 *     publish('chapter', chapter.id, { type: 'chapter.changed' });
 */
import { announce } from '../../database/announcements.js';
import { currentOrganization, rows } from '../../database/rows.js';
import type { Announcement, EventFacts, TopicEvent } from './announcements.js';

/** A topic. In its SQL, `w` has organization_id, user_id and subject_id. */
interface Topic {
  /**
   * SQL: null if the person may not receive events of the subject, otherwise a value, which `hears` finds as `w.access`.
   * It is evaluated when a client subscribes, and again at each delivery.
   */
  access: string;
  /** Restricts who hears of an event; absent: everybody with access. */
  audience?: {
    /** SQL: columns of event `e`, whose ids and facts are the JSON object `e.event`. They are read once for all people. */
    columns: string;
    /** SQL: joins for these columns. */
    joins: string;
    /** SQL: person `w` hears of event `e`. */
    hears: string;
  };
  /**
   * Events of this time, and of one millisecond more for each subscriber, are delivered together, so that access is
   * checked once for all of them; absent: at once.
   */
  windowMs?: number;
}

const registry = new Map<string, Topic>();

export function defineTopics(table: Record<string, Topic>): void {
  for (const [name, topic] of Object.entries(table)) registry.set(name, topic);
}

const topicOf = (topic: string): Topic | undefined => registry.get(topic.split(':')[0] as string);

/** Returns how long events of a topic are collected before they are delivered. More subscribers take longer to check. */
export function windowOf(topic: string, subscribers: number): number {
  const windowMs = topicOf(topic)?.windowMs ?? 0;
  return windowMs === 0 ? 0 : windowMs + subscribers;
}

/**
 * Publishes an event to the subscribers of a topic, after the commit.
 * @param event ids and kinds, with the facts at most about 7 kB
 */
export function publish(name: string, subjectId: string, event: TopicEvent, facts: EventFacts = {}): void {
  const topic = `${name}:${subjectId}`;
  announce({ kind: 'published', organization: currentOrganization(), topic, event, facts } satisfies Announcement);
}

/**
 * Finds out who may receive events of a topic, in one statement for all people and events.
 * @returns for each person with access the events that the person hears of, by their position; empty for an unknown topic
 */
export async function findListeners(
  topic: string,
  users: readonly string[],
  events: readonly { event: TopicEvent; facts: EventFacts }[] = [],
): Promise<Map<string, number[]>> {
  const definition = topicOf(topic);
  if (!definition) return new Map();
  const { access, audience = { columns: 'e.event', joins: '', hears: 'true' } } = definition;
  const listeners = await rows<{ user_id: string; heard: number[] }>(
    `WITH e AS MATERIALIZED (
       SELECT e.position::int - 1 AS position, ${audience.columns}
         FROM (SELECT text::jsonb AS event, position FROM unnest($4::text[]) WITH ORDINALITY given (text, position)) e
         ${audience.joins})
     SELECT w.user_id, ARRAY(SELECT e.position FROM e WHERE ${audience.hears} ORDER BY e.position) AS heard
       FROM (SELECT w.*, ${access} AS access
               FROM (SELECT $1::uuid AS organization_id, one.id AS user_id, $3::uuid AS subject_id
                       FROM unnest($2::uuid[]) AS one (id)) w OFFSET 0) w
      WHERE w.access IS NOT NULL`,
    [
      currentOrganization(),
      users,
      topic.split(':')[1],
      events.map(({ event, facts }) => JSON.stringify({ ...facts, ...event })),
    ],
  );
  return new Map(listeners.map(({ user_id, heard }) => [user_id, heard]));
}
