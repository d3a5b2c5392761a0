/** Searches admins of the organization by name or address. There are few, so all of them are compared. */
import { currentOrganization, rows } from '../database/rows.js';
import { shownEmail } from '../identity/deletion/erased.js';
import { containing, searchKey } from './search.js';

export interface FoundAdmin {
  /** Id of the office. */
  id: string;
  user: string;
  first_name: string;
  last_name: string;
  email: string | null;
  title: string | null;
}

const MAX_RESULTS = 25;

/**
 * Returns at most 25 active admins. Those whose name begins with the words come first; both groups are ordered by name.
 */
export const searchAdmins = (words: string): Promise<FoundAdmin[]> =>
  rows<FoundAdmin>(
    `SELECT a.id, u.id AS "user", u.first_name, u.last_name, ${shownEmail('u')} AS email, o.title
       FROM app.active_admins($1) a JOIN organization_admins o ON o.organization_id = $1 AND o.id = a.id
       JOIN users u ON u.id = a.user_id
      CROSS JOIN LATERAL (VALUES (${searchKey(`u.first_name || ' ' || u.last_name`)}, ${searchKey(`u.last_name || ' ' || u.first_name`)}))
        n (name, turned)
      WHERE n.name LIKE $2 OR n.turned LIKE $2 OR u.email LIKE substring($2 from 2)
      ORDER BY n.name LIKE substring($2 from 2) OR n.turned LIKE substring($2 from 2) DESC, n.name, a.id
      LIMIT ${MAX_RESULTS}`,
    [currentOrganization(), containing(words)],
  );
