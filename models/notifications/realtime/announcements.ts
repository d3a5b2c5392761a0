/**
 * After a commit, announces changes to all API processes, so that each process notifies its connected clients.
 * Announcements contain only ids.
 */
import { announce } from '../../database/announcements.js';
import { currentOrganization } from '../../database/rows.js';

/** An event of a topic: a type, and ids. Clients receive it. */
export interface TopicEvent {
  type: string;
  [id: string]: string | null;
}

/** Decides with the ids of an event who hears of it. Clients do not receive it. */
export type EventFacts = Record<string, string | boolean>;

export type Announcement =
  /**
   * Notifications with ids from `first` to `last` were created for these people. `to` is null if there are too many to
   * name; then all connected people of the organization are checked.
   */
  | { kind: 'told'; organization: string; first: string; last: string; to: string[] | null }
  /** The person has read these notifications. `ids` is null if there are too many to name. */
  | { kind: 'read'; organization: string; user: string; ids: string[] | null }
  | { kind: 'published'; organization: string; topic: string; event: TopicEvent; facts: EventFacts }
  /**
   * Connections must be checked again, because sessions, accounts or memberships changed (announced by
   * `recheck_sockets.sql`), or because many notifications were withdrawn.
   */
  | { kind: 'check'; user?: string; organization?: string };

/** Maximum number of recipients whom an announcement names. */
const MAX_NAMED_RECIPIENTS = 50;
/** The maximum number of ids that fit into one announcement. */
const IDS_PER_ANNOUNCEMENT = 150;
/** The maximum number of read notifications that are announced by id. */
export const MAX_READ_IDS = 500;

/** SQL: the RETURNING clause of an INSERT of notifications. The INSERT is a CTE with the name `made`. */
export const RETURNING_CREATED = 'RETURNING id, recipient_id, unlisted_reason';

/**
 * SQL columns for a SELECT over the CTE `made` (the inserted notifications): the first id, the last id and the
 * recipients of those that appear in lists. The announcement is made from them.
 */
export const CREATED_COLUMNS = `
  (SELECT id FROM made WHERE unlisted_reason IS NULL ORDER BY id LIMIT 1) AS first_made,
  (SELECT id FROM made WHERE unlisted_reason IS NULL ORDER BY id DESC LIMIT 1) AS last_made,
  (SELECT CASE WHEN count(DISTINCT recipient_id) <= ${MAX_NAMED_RECIPIENTS} THEN array_agg(DISTINCT recipient_id) END
     FROM made WHERE unlisted_reason IS NULL) AS made_to`;

export interface CreatedRange {
  first_made: string | null;
  last_made: string | null;
  made_to: string[] | null;
}

export function announceCreated({ first_made: first, last_made: last, made_to: to }: CreatedRange): void {
  const organization = currentOrganization();
  if (first && last) announce({ kind: 'told', organization, first, last, to } satisfies Announcement);
}

/**
 * Announces that a person has read notifications.
 * @param ids their ids; null if there are more than `MAX_READ_IDS`
 */
export function announceRead(user: string, ids: readonly string[] | null): void {
  for (const announcement of readAnnouncements(user, currentOrganization(), ids)) announce(announcement);
}

/**
 * Returns the announcements which say that a person has read notifications. Each announcement names a limited number of
 * ids.
 */
export function readAnnouncements(user: string, organization: string, ids: readonly string[] | null): Announcement[] {
  const announcementOf = (some: string[] | null): Announcement => ({ kind: 'read', organization, user, ids: some });
  if (ids === null) return [announcementOf(null)];
  return Array.from({ length: Math.ceil(ids.length / IDS_PER_ANNOUNCEMENT) }, (_, n) =>
    announcementOf(ids.slice(n * IDS_PER_ANNOUNCEMENT, (n + 1) * IDS_PER_ANNOUNCEMENT)),
  );
}

/** Announces that many notifications were withdrawn, so that all connections of the organization are checked again. */
export function announceWithdrawn(): void {
  announce({ kind: 'check', organization: currentOrganization() } satisfies Announcement);
}
