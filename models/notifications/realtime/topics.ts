/**
 * What clients may subscribe to beside their own notifications: `<name>:<id>`. An area declares its topics, and publishes to
 * them in the transaction that makes something true:
 *
 *     export const topics = defineTopics({ thread: `EXISTS (SELECT FROM threads t WHERE t.id = w.subject_id AND …)` });
 *     publish('thread', thread.id, { type: 'thread.changed' });
 */
import { announce } from '../../database/announcements.js';
import { currentOrganization, rows } from '../../database/rows.js';
import type { Announcement } from './announcements.js';

const registry = new Map<string, string>();

/**
 * Declares topics, each with SQL of a condition: whether somebody may hear of its subject. In it `w` has organization_id,
 * user_id and subject_id. It is asked when they subscribe, and again whenever something is published.
 */
export function defineTopics(table: Record<string, string>): void {
  for (const [name, mayHear] of Object.entries(table)) registry.set(name, mayHear);
}

/** Tells those who have subscribed to a topic, after the commit. @param event ids and kinds, at most some 7 kB */
export function publish(name: string, subjectId: string, event: { type: string }): void {
  const topic = `${name}:${subjectId}`;
  announce({ kind: 'published', organization: currentOrganization(), topic, event } satisfies Announcement);
}

/** @returns those of these people who may hear of a topic; null where there is no such topic */
export async function mayHear(topic: string, users: readonly string[]): Promise<string[] | null> {
  const [name = '', subjectId] = topic.split(':');
  const condition = registry.get(name);
  if (condition === undefined) return null;
  const found = await rows<{ user_id: string }>(
    `SELECT w.user_id FROM (SELECT $1::uuid AS organization_id, one.id AS user_id, $3::uuid AS subject_id
                              FROM unnest($2::uuid[]) AS one (id)) w WHERE ${condition}`,
    [currentOrganization(), users, subjectId],
  );
  return found.map(({ user_id }) => user_id);
}
