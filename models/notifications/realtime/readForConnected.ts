/**
 * Reads the notifications and unread counts that are sent to clients with an open realtime connection, in the current
 * tenant.
 */
import { rows } from '../../database/rows.js';
import { UNREAD_COUNT } from '../counts.js';
import { IS_LISTED, LIST_COLUMNS } from '../listNotifications.js';

/** Maximum number of notifications that a client receives one by one. If there are more, it reloads the list. */
export const MAX_SENT_SINGLY = 50;

/** A notification as JSON, in the same form as in the list. */
export interface LiveNotification {
  userId: string;
  id: string;
  /** Whether quiet hours delay the mail and push of this notification. */
  quiet: boolean;
  /** JSON of the notification, as it appears in the list. */
  json: string;
}

const SELECT_LIVE = `SELECT n.recipient_id AS "userId", n.id, coalesce(n.scheduled_for > now(), false) AS quiet,
    (SELECT to_json(shown)::text FROM (SELECT ${LIST_COLUMNS}) shown) AS json
  FROM notifications n LEFT JOIN users u ON u.id = n.actor_id`;

/**
 * Reads the notifications of these people with ids from `first` to `last`, the oldest first. For each person reads only
 * the newest `MAX_SENT_SINGLY` + 1. If a person has that many, there are too many to send one by one.
 */
export const readLive = (users: readonly string[], first: string, last: string): Promise<LiveNotification[]> =>
  rows<LiveNotification>(
    `SELECT told.* FROM unnest($1::uuid[]) AS who (id) CROSS JOIN LATERAL (
       ${SELECT_LIVE} WHERE ${listedOf('who.id')} AND n.id BETWEEN $2 AND $3 ORDER BY n.id DESC LIMIT ${MAX_SENT_SINGLY + 1}) told
      ORDER BY told.id`,
    [users, first, last],
  );

/** Reads the notifications of one person after an id, the oldest first: the newest `MAX_SENT_SINGLY` + 1 of them. */
export const readMissed = async (userId: string, since: string): Promise<LiveNotification[]> => {
  const newest = await rows<LiveNotification>(
    `${SELECT_LIVE} WHERE ${IS_LISTED} AND n.id > $2 ORDER BY n.id DESC LIMIT ${MAX_SENT_SINGLY + 1}`,
    [userId, since],
  );
  return newest.toReversed();
};

export interface UnreadState {
  /** Id of the newest notification; null if there is none. */
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
