/** What API processes are told after a commit, so that they tell those who are connected: ids only. */
import { announce } from '../../database/announcements.js';
import { currentOrganization } from '../../database/rows.js';

export type Announcement =
  /** Notifications from one id to another, of these people; null: of whoever is connected. */
  | { kind: 'told'; organization: string; first: string; last: string; to: string[] | null }
  /** Somebody has read some; null: too many to name. */
  | { kind: 'read'; organization: string; user: string; ids: string[] | null }
  | { kind: 'published'; organization: string; topic: string; event: object }
  /** Sessions, accounts or memberships are others now, as `recheck_sockets.sql` announces, or much was taken back. */
  | { kind: 'check'; user?: string; organization?: string };

/** More people are not named. */
const MOST_NAMED = 50;
/** More ids do not fit into one announcement. */
const IDS_AT_ONCE = 150;
/** Of more nobody is told one by one. */
export const MOST_READ_NAMED = 500;

/** What an INSERT of notifications, a CTE called `made`, ends with. */
export const RETURNING_MADE = 'RETURNING id, recipient_id, unlisted_reason';

/** Columns of a SELECT beside it: what is announced of those that are in somebody's bell. */
export const MADE = `
  (SELECT id FROM made WHERE unlisted_reason IS NULL ORDER BY id LIMIT 1) AS first_made,
  (SELECT id FROM made WHERE unlisted_reason IS NULL ORDER BY id DESC LIMIT 1) AS last_made,
  (SELECT CASE WHEN count(DISTINCT recipient_id) <= ${MOST_NAMED} THEN array_agg(DISTINCT recipient_id) END
     FROM made WHERE unlisted_reason IS NULL) AS made_to`;

export interface Made {
  first_made: string | null;
  last_made: string | null;
  made_to: string[] | null;
}

export function announceMade({ first_made: first, last_made: last, made_to: to }: Made): void {
  const organization = currentOrganization();
  if (first && last) announce({ kind: 'told', organization, first, last, to } satisfies Announcement);
}

/** @param ids null: more than `MOST_READ_NAMED` */
export function announceRead(user: string, ids: readonly string[] | null): void {
  for (const announcement of readBy(user, currentOrganization(), ids)) announce(announcement);
}

/** What is announced of it. */
export function readBy(user: string, organization: string, ids: readonly string[] | null): Announcement[] {
  const told = (some: string[] | null): Announcement => ({ kind: 'read', organization, user, ids: some });
  if (ids === null) return [told(null)];
  return Array.from({ length: Math.ceil(ids.length / IDS_AT_ONCE) }, (_, n) =>
    told(ids.slice(n * IDS_AT_ONCE, (n + 1) * IDS_AT_ONCE)),
  );
}

/** Many are in nobody's list any more: whoever is connected is looked at again. */
export function announceWithdrawn(): void {
  announce({ kind: 'check', organization: currentOrganization() } satisfies Announcement);
}
