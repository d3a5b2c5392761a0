import { currentOrganization, rows } from '../../database/rows.js';
import { searchKey, startingWith } from '../../organizations/search.js';

const MAX_FOUND = 10;

export interface FoundPerson {
  user: string;
  username: string;
  first_name: string;
  last_name: string;
}

/** Finds people who see a forum by the beginning of their user name or of their name, sorted by user name. */
export const searchForumPeople = (forumId: string, text: string): Promise<FoundPerson[]> =>
  rows<FoundPerson>(
    `SELECT found.* FROM (
       SELECT u.id AS "user", h.handle AS username, u.first_name, u.last_name
         FROM app.people_of_forum($1, $2) p
         JOIN users u ON u.id = p.user_id
         JOIN member_handles h ON h.organization_id = $1 AND h.user_id = u.id
        WHERE h.handle LIKE $3 OR ${searchKey("u.first_name || ' ' || u.last_name")} LIKE $3 OR ${searchKey('u.last_name')} LIKE $3
        ORDER BY h.handle) found
     CROSS JOIN LATERAL (SELECT app.forum_role($1, found."user", $2) AS role OFFSET 0) seen
     WHERE seen.role IS NOT NULL LIMIT ${MAX_FOUND}`,
    [currentOrganization(), forumId, startingWith(text)],
  );
