/** Reads one page of users in one statement; users belong to no tenant. */
import { type Page, type PageRequest, requirePage } from '../database/page.js';
import { oneRow } from '../database/rows.js';

export interface UsersQuery extends PageRequest {
  /** SQL conditions over `u`, a row of users, with `$1…` of `values`. */
  where: string;
  values: unknown[];
  /** SQL of the columns over `u`. Computed only for the users of the page. */
  select: string;
}

/**
 * Reads a page of users, ordered by address with the help of an index.
 * @throws Refusal page_not_found
 */
export async function selectUsersPage<Row>({ where, values, select, page, pageSize }: UsersQuery): Promise<Page<Row>> {
  const n = values.length;
  const order = 'ORDER BY u.email COLLATE "C", u.id';
  const list = await oneRow<Page<Row>>(
    `SELECT (SELECT count(*)::int FROM users u WHERE ${where}) AS count,
            (SELECT coalesce(json_agg(r), '[]') FROM (
               SELECT ${select}
                 FROM (SELECT u.id FROM users u WHERE ${where} ${order} LIMIT $${n + 1} OFFSET $${n + 2}) narrow
                 JOIN users u ON u.id = narrow.id ${order}) r) AS results`,
    [...values, pageSize, (page - 1) * pageSize],
  );
  requirePage(page, list.results);
  return list;
}
