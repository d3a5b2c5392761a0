/** Admins of the organization by name or address: they are few, and all of them are looked at. */
import { currentOrganization, rows } from '../database/rows.js';
import { containing } from './search.js';

export interface FoundAdmin {
  /** Of the office. */
  id: string;
  user: string;
  first_name: string;
  last_name: string;
  email: string;
  title: string | null;
}

const MOST = 25;

/** Active ones, at most 25: those whose name begins with the words first, then by name. */
export const searchAdmins = (words: string): Promise<FoundAdmin[]> =>
  rows<FoundAdmin>(
    `SELECT a.id, u.id AS "user", u.first_name, u.last_name, u.email, o.title
       FROM app.active_admins($1) a JOIN organization_admins o ON o.organization_id = $1 AND o.id = a.id
       JOIN users u ON u.id = a.user_id
      CROSS JOIN LATERAL (VALUES (u.first_name || ' ' || u.last_name, u.last_name || ' ' || u.first_name)) n (name, turned)
      WHERE n.name ILIKE $2 OR n.turned ILIKE $2 OR u.email LIKE lower(substring($2 from 2))
      ORDER BY n.name ILIKE substring($2 from 2) OR n.turned ILIKE substring($2 from 2) DESC, lower(n.name), a.id
      LIMIT ${MOST}`,
    [currentOrganization(), containing(words)],
  );
