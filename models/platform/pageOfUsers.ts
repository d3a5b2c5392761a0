/** One page of people, in one statement: they are no tenant's. */
import { type Page, type PageRequest, requirePage } from '../database/page.js';
import { oneRow } from '../database/rows.js';

export interface UsersQuery extends PageRequest {
  /** Conditions over `u` with `$1…`. */
  where: string;
  values: unknown[];
  /** Columns over `u`, of the chosen people only. */
  select: string;
}

/** By address, as an index has it. @throws Refusal page_not_found past the last page */
export async function pageOfUsers<Row>({ where, values, select, page, pageSize }: UsersQuery): Promise<Page<Row>> {
  const n = values.length;
  const order = 'ORDER BY u.email COLLATE "C", u.id';
  const found = await oneRow<Page<Row>>(
    `SELECT (SELECT count(*)::int FROM users u WHERE ${where}) AS count,
            (SELECT coalesce(json_agg(r), '[]') FROM (
               SELECT ${select}
                 FROM (SELECT u.id FROM users u WHERE ${where} ${order} LIMIT $${n + 1} OFFSET $${n + 2}) narrow
                 JOIN users u ON u.id = narrow.id ${order}) r) AS results`,
    [...values, pageSize, (page - 1) * pageSize],
  );
  requirePage(page, found.results);
  return found;
}
