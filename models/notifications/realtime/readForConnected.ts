/** What people who are connected are told, in the tenant of the open transaction. */
import { rows } from '../../database/rows.js';
import { COUNTED } from '../counts.js';
import { LISTED, SHOWN } from '../listNotifications.js';

/** More at once are not told one by one: whoever is connected loads the list again. */
export const MOST_AT_ONCE = 50;

/** A notification as the list shows it. */
export interface ToldNow {
  userId: string;
  id: string;
  /** Quiet hours hold its mail and push. */
  quiet: boolean;
  /** JSON of an element of the list. */
  json: string;
}

const TOLD = `SELECT n.recipient_id AS "userId", n.id, coalesce(n.scheduled_for > now(), false) AS quiet,
    (SELECT to_json(shown)::text FROM (SELECT ${SHOWN}) shown) AS json
  FROM notifications n LEFT JOIN users u ON u.id = n.actor_id`;

/**
 * Notifications of these people from one id to another, oldest first; of each person the newest `MOST_AT_ONCE` and one more, which
 * says that there are more than these.
 */
export const readTold = (users: readonly string[], first: string, last: string): Promise<ToldNow[]> =>
  rows<ToldNow>(
    `SELECT told.* FROM unnest($1::uuid[]) AS who (id) CROSS JOIN LATERAL (
       ${TOLD} WHERE ${listedOf('who.id')} AND n.id BETWEEN $2 AND $3 ORDER BY n.id DESC LIMIT ${MOST_AT_ONCE + 1}) told
      ORDER BY told.id`,
    [users, first, last],
  );

/** The same of one person, after an id. */
export const readMissed = async (userId: string, since: string): Promise<ToldNow[]> => {
  const newest = await rows<ToldNow>(
    `${TOLD} WHERE ${LISTED} AND n.id > $2 ORDER BY n.id DESC LIMIT ${MOST_AT_ONCE + 1}`,
    [userId, since],
  );
  return newest.toReversed();
};

export interface Standing {
  /** The newest that they were told; null: nothing yet. */
  newest: string | null;
  unread_count: number;
  action_required_count: number;
}

/** How much is new for these people. */
export const readStandings = (users: readonly string[]): Promise<(Standing & { userId: string })[]> =>
  rows<Standing & { userId: string }>(
    `SELECT who.id AS "userId",
            (SELECT n.id FROM notifications n WHERE ${listedOf('who.id')} ORDER BY n.id DESC LIMIT 1) AS newest,
            (${countedOf('who.id')}) AS unread_count, (${countedOf('who.id')} AND n.requires_action) AS action_required_count
       FROM unnest($1::uuid[]) AS who (id)`,
    [users],
  );

const listedOf = (user: string): string => LISTED.replaceAll('$1', user);
const countedOf = (user: string): string => COUNTED.replaceAll('$1', user);
