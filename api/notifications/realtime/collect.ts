/** Collects the events of a topic for a short time, so that a busy topic costs one check of access in that time. */
import type { Announcement } from '../../../models/notifications/realtime/announcements.js';

type Published = Extract<Announcement, { kind: 'published' }>;

/** Collected announcements by organization and topic, and within it by their content: equal ones count once. */
const collecting = new Map<string, Map<string, Published>>();

/**
 * Adds an announcement to those of its topic.
 * @param deliver is called once, at the end of the window that the first of them has opened
 */
export function collect(announcement: Published, windowMs: number, deliver: (collected: Published[]) => void): void {
  const { organization, topic, event, facts } = announcement;
  const key = `${organization} ${topic}`;
  const content = JSON.stringify([event, facts]);
  const collected = collecting.get(key);
  if (collected) return void collected.set(content, announcement);
  collecting.set(key, new Map([[content, announcement]]));
  setTimeout(() => {
    const all = [...(collecting.get(key)?.values() ?? [])];
    collecting.delete(key);
    deliver(all);
  }, windowMs).unref();
}
