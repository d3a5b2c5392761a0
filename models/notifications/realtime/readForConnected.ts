/** Reads what connected clients receive, in the tenant of the open transaction. */
import { rows } from '../../database/rows.js';
import { UNREAD_COUNT } from '../counts.js';
import { IS_LISTED, LIST_COLUMNS } from '../listNotifications.js';

/** The maximum number of notifications that are sent one by one; beyond it clients reload the list. */
export const MAX_SENT_SINGLY = 50;

/** A notification, in the form of the list. */
export interface LiveNotification {
  userId: string;
  id: string;
  /** Whether quiet hours delay its mail and push. */
  quiet: boolean;
  /** JSON of an element of the list. */
  json: string;
}

const SELECT_LIVE = `SELECT n.recipient_id AS "userId", n.id, coalesce(n.scheduled_for > now(), false) AS quiet,
    (SELECT to_json(shown)::text FROM (SELECT ${LIST_COLUMNS}) shown) AS json
  FROM notifications n LEFT JOIN users u ON u.id = n.actor_id`;

/**
 * Reads notifications of these people from one id to another, oldest first. For each person it reads the newest
 * `MAX_SENT_SINGLY` and one more, which shows that there are more.
 */
export const readLive = (users: readonly string[], first: string, last: string): Promise<LiveNotification[]> =>
  rows<LiveNotification>(
    `SELECT told.* FROM unnest($1::uuid[]) AS who (id) CROSS JOIN LATERAL (
       ${SELECT_LIVE} WHERE ${listedOf('who.id')} AND n.id BETWEEN $2 AND $3 ORDER BY n.id DESC LIMIT ${MAX_SENT_SINGLY + 1}) told
      ORDER BY told.id`,
    [users, first, last],
  );

/** Reads notifications of one person after an id, oldest first, with the same limit. */
export const readMissed = async (userId: string, since: string): Promise<LiveNotification[]> => {
  const newest = await rows<LiveNotification>(
    `${SELECT_LIVE} WHERE ${IS_LISTED} AND n.id > $2 ORDER BY n.id DESC LIMIT ${MAX_SENT_SINGLY + 1}`,
    [userId, since],
  );
  return newest.toReversed();
};

export interface UnreadState {
  /** The id of the newest notification; null: there is none. */
  newest: string | null;
  unread_count: number;
  action_required_count: number;
}

/** Reads the unread counts of these people. */
export const readUnreadStates = (users: readonly string[]): Promise<(UnreadState & { userId: string })[]> =>
  rows<UnreadState & { userId: string }>(
    `SELECT who.id AS "userId",
            (SELECT n.id FROM notifications n WHERE ${listedOf('who.id')} ORDER BY n.id DESC LIMIT 1) AS newest,
            (${countedOf('who.id')}) AS unread_count, (${countedOf('who.id')} AND n.requires_action) AS action_required_count
       FROM unnest($1::uuid[]) AS who (id)`,
    [users],
  );

const listedOf = (user: string): string => IS_LISTED.replaceAll('$1', user);
const countedOf = (user: string): string => UNREAD_COUNT.replaceAll('$1', user);
