/** People across all organizations, while somebody types: quickly, however many begin so. */
import { rows } from '../database/rows.js';
import { shownEmail } from '../identity/deletion/erased.js';
import { searchKey, startingWith } from '../organizations/search.js';
import type { PersonRow } from './findPeople.js';

export type FoundUser = Pick<
  PersonRow,
  'id' | 'email' | 'first_name' | 'last_name' | 'is_platform_admin' | 'is_disabled'
>;

const MOST = 25;

/** Where people are looked for, each in the order of an index and cut short by itself. Placeholders have no address. */
const WAYS = [
  ['users u', 'u.id', `(${searchKey(`u.first_name || ' ' || u.last_name`)}) COLLATE "C"`, 'u.email IS NOT NULL'],
  ['users u', 'u.id', `(${searchKey(`u.last_name || ' ' || u.first_name`)}) COLLATE "C"`, 'u.email IS NOT NULL'],
  ['users u', 'u.id', `u.email COLLATE "C"`, 'u.email IS NOT NULL'],
  ['user_emails e', 'e.user_id', `e.email COLLATE "C"`, 'true'],
].map(
  ([from, id, text, where], rank) =>
    `(SELECT ${id} AS id, ${rank} AS rank, ${text} AS text FROM ${from} WHERE ${where} AND ${text} LIKE $1
       ORDER BY ${text} LIMIT ${MOST})`,
);

/** At most 25: names that begin so, first name first or last name first; then addresses, other ones of the person too. */
export const searchUsers = (words: string): Promise<FoundUser[]> =>
  rows<FoundUser>(
    `WITH best AS (SELECT DISTINCT ON (id) * FROM (${WAYS.join(' UNION ALL ')}) ways ORDER BY id, rank)
     SELECT u.id, ${shownEmail('u')} AS email, u.first_name, u.last_name, u.is_platform_admin, u.disabled_at IS NOT NULL AS is_disabled
       FROM best b JOIN users u ON u.id = b.id ORDER BY b.rank, b.text, u.id LIMIT ${MOST}`,
    [startingWith(words)],
  );
