/** Type-ahead search of people across all organizations: quick, even when many people match. */
import { rows } from '../database/rows.js';
import { shownEmail } from '../identity/deletion/erased.js';
import { searchKey, startingWith } from '../organizations/search.js';
import type { PersonRow } from './findPeople.js';

export type FoundUser = Pick<
  PersonRow,
  'id' | 'email' | 'first_name' | 'last_name' | 'is_platform_admin' | 'is_disabled'
>;

const MAX_RESULTS = 25;

/**
 * One index scan for each kind of match, in the order of the index and with its own limit. Placeholders are left out,
 * because they have no address in `users.email`.
 */
const INDEX_SCANS = [
  ['users u', 'u.id', `(${searchKey(`u.first_name || ' ' || u.last_name`)}) COLLATE "C"`, 'u.email IS NOT NULL'],
  ['users u', 'u.id', `(${searchKey(`u.last_name || ' ' || u.first_name`)}) COLLATE "C"`, 'u.email IS NOT NULL'],
  ['users u', 'u.id', `u.email COLLATE "C"`, 'u.email IS NOT NULL'],
  ['user_emails e', 'e.user_id', `e.email COLLATE "C"`, 'true'],
].map(
  ([from, id, text, where], rank) =>
    `(SELECT ${id} AS id, ${rank} AS rank, ${text} AS text FROM ${from} WHERE ${where} AND ${text} LIKE $1
       ORDER BY ${text} LIMIT ${MAX_RESULTS})`,
);

/**
 * Finds at most 25 people by prefix. Matches by name (first or last name first) come before matches by primary or
 * further address.
 */
export const searchUsers = (searchText: string): Promise<FoundUser[]> =>
  rows<FoundUser>(
    `WITH best AS (SELECT DISTINCT ON (id) * FROM (${INDEX_SCANS.join(' UNION ALL ')}) ways ORDER BY id, rank)
     SELECT u.id, ${shownEmail('u')} AS email, u.first_name, u.last_name, u.is_platform_admin, u.disabled_at IS NOT NULL AS is_disabled
       FROM best b JOIN users u ON u.id = b.id ORDER BY b.rank, b.text, u.id LIMIT ${MAX_RESULTS}`,
    [startingWith(searchText)],
  );
