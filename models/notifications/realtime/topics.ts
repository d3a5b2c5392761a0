/**
 * Topics to which clients may subscribe, in addition to their own notifications: `<name>:<id>`. An area declares its
 * topics, and publishes to them in the transaction that changes the subject:
 *
 *     export const topics = defineTopics({ chapter: `EXISTS (SELECT FROM chapters c WHERE c.id = w.subject_id AND …)` });
 *     publish('chapter', chapter.id, { type: 'chapter.changed' });
 */
import { announce } from '../../database/announcements.js';
import { currentOrganization, rows } from '../../database/rows.js';
import type { Announcement } from './announcements.js';

const registry = new Map<string, string>();

/**
 * Declares topics, each with an SQL condition that says whether a person may receive its events. In the condition, `w`
 * has organization_id, user_id and subject_id. The condition is evaluated when a client subscribes, and again for each
 * published event.
 */
export function defineTopics(table: Record<string, string>): void {
  for (const [name, conditionSql] of Object.entries(table)) registry.set(name, conditionSql);
}

/**
 * Publishes an event to the subscribers of a topic, after the commit.
 * @param event ids and kinds, at most about 7 kB
 */
export function publish(name: string, subjectId: string, event: { type: string }): void {
  const topic = `${name}:${subjectId}`;
  announce({ kind: 'published', organization: currentOrganization(), topic, event } satisfies Announcement);
}

/** Returns the people among `users` who may receive events of a topic; null if there is no such topic. */
export async function filterAllowed(topic: string, users: readonly string[]): Promise<string[] | null> {
  const [name = '', subjectId] = topic.split(':');
  const condition = registry.get(name);
  if (condition === undefined) return null;
  const allowed = await rows<{ user_id: string }>(
    `SELECT w.user_id FROM (SELECT $1::uuid AS organization_id, one.id AS user_id, $3::uuid AS subject_id
                              FROM unnest($2::uuid[]) AS one (id)) w WHERE ${condition}`,
    [currentOrganization(), users, subjectId],
  );
  return allowed.map(({ user_id }) => user_id);
}
