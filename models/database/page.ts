/**
 * Reads one page of a list in one statement. To be fast, it first sorts and limits rows with few columns, and then
 * joins only the rows of the page with other tables.
 */
import { refuse } from '../errors.js';
import { queryGenericPlan } from './preparedQuery.js';
import { oneRow, rows, type Statement } from './rows.js';

export interface PageRequest {
  /** Page number, from 1. */
  page: number;
  /** 1 to 100. */
  pageSize: number;
}

export interface Page<Row> {
  count: number;
  results: Row[];
}

export interface PageQuery extends PageRequest {
  /** A common table expression that `from` names, so that rows for the count and for the page are found once. */
  with?: string;
  /** Further columns of the statement's row, besides those of PageText. */
  facts?: string;
  /**
   * Table and alias from which the sorted rows are read, for example `chapter_invoices i`. It contains joins only if a
   * filter or the order needs them.
   */
  from: string;
  /**
   * The FROM clause for the count: like `from`, but without joins that only the order needs. Absent: `from` is used.
   */
  counted?: string;
  /**
   * Conditions with `$1…`. Row level security adds the tenant, but name the tenant here as well, so that Postgres uses
   * the index.
   */
  where: string;
  values: unknown[];
  /**
   * Sort expression over `from` with its direction (`i.due_date DESC NULLS LAST`), or empty; the primary key is
   * appended.
   */
  orderBy: string;
  /** Column of the results, with its direction, by which rows are sorted before `orderBy`: `p.is_pinned DESC`. */
  orderFirst?: string;
  /** The primary key, with its alias: `i.id`. */
  key: string;
  /**
   * The table from which the results are read, with its alias, and the name of its key. Needed only if `from` begins
   * with a different table that has the same keys.
   */
  rows?: { table: string; key: string };
  /**
   * Further columns of `from` that `select` needs. In `select` they are written with the alias `narrow`, as in
   * `narrow.status`.
   */
  carried?: string;
  /** The columns of a result, which may come from the table of `from` and from `join`. */
  select: string;
  /** Joins that are made only for the rows of the page. */
  join?: string;
}

/** A page as `pageStatement` returns it. */
export interface PageText {
  count: number;
  /** The results as the text of a JSON array. */
  results: string;
}

/**
 * Builds the statement that reads a page; its only row is a PageText. For each page size there are two prepared plans:
 * one for the first page, and one for all other pages.
 */
export function pageStatement(query: PageQuery): Statement {
  const {
    with: found,
    facts,
    from,
    counted = from,
    where,
    orderBy,
    orderFirst,
    key,
    carried,
    select,
    join = '',
    rows,
  } = query;
  const { limit, values } = limitOf(query, query.values);
  const [table, alias] = (rows?.table ?? from).trim().split(/\s+/, 2) as [string, string];
  const [, sorted = '', how = ''] = /^(.*?)((?: (?:ASC|DESC))?(?: NULLS LAST)?)$/.exec(orderBy) ?? [];
  const direction = how.includes('DESC') ? 'DESC' : 'ASC';
  const by = sorted || key;
  const first = orderFirst === undefined ? '' : `${orderFirst}, `;
  const order = (sort: string, id: string): string => `ORDER BY ${first}${sort}${how}, ${id} ${direction}`;
  const tenant = `${alias}.organization_id = (SELECT app.org_id())`;
  const shownKey = rows?.key ?? key;
  // Rows that are sorted by their key are adjacent in its index, so one index scan returns the rows of the page in order.
  // Other rows are looked up one by one and sorted again after the joins, which costs less than numbering them before.
  const shown =
    by === key && !carried && !orderFirst
      ? `FROM ${table} ${alias}
                ${join}
               WHERE ${tenant} AND ${shownKey} = ANY (ARRAY(
                       SELECT ${key} FROM ${from} WHERE ${where} ORDER BY ${key} ${direction} ${limit}))
               ORDER BY ${shownKey} ${direction}`
      : `FROM (SELECT ${key} AS narrow_id, ${by} AS narrow_by${carried ? `, ${carried}` : ''}
                        FROM ${from} WHERE ${where} ${order(by, key)} ${limit}) narrow
                JOIN ${table} ${alias} ON ${tenant} AND ${shownKey} = narrow.narrow_id
                ${join}
               ${order('narrow.narrow_by', 'narrow.narrow_id')}`;
  const text = `
    ${found === undefined ? '' : `WITH ${found}`}
    SELECT ${facts === undefined ? '' : `${facts}, `}(SELECT count(*)::int FROM ${counted} WHERE ${where}) AS count,
           (SELECT coalesce(json_agg(one)::text, '[]') FROM (
              SELECT ${select}
                ${shown}) one) AS results`;
  return { text, values, prepared: true };
}

/**
 * Builds the LIMIT clause of a page. LIMIT is a literal: with a parameter, the planner would assume that a tenth of the
 * rows is returned, and choose the joins accordingly. OFFSET is a parameter, so that all pages after the first share
 * one prepared plan. The first page has a plan without OFFSET.
 * @param otherValues the other values of the statement
 */
export function limitOf(
  { page, pageSize }: PageRequest,
  otherValues: readonly unknown[],
): { limit: string; values: unknown[] } {
  if (page === 1) return { limit: `LIMIT ${pageSize}`, values: [...otherValues] };
  const values = [...otherValues, (page - 1) * pageSize];
  return { limit: `LIMIT ${pageSize} OFFSET $${values.length}`, values };
}

/** Query of a list of a platform table, without joins. */
export type PlatformPageQuery = Omit<PageQuery, 'key' | 'join'>;

/**
 * Reads a page of a platform table in one statement.
 * @throws Refusal page_not_found past the last page
 */
export async function selectPlatformPage<Row>(query: PlatformPageQuery): Promise<Page<Row>> {
  const { from, where, orderBy, select, page } = query;
  const { limit, values } = limitOf(query, query.values);
  const list = await oneRow<Page<Row>>(
    `SELECT (SELECT count(*)::int FROM ${from} WHERE ${where}) AS count,
            (SELECT coalesce(json_agg(r), '[]') FROM (
               SELECT ${select} FROM ${from} WHERE ${where} ORDER BY ${orderBy} ${limit}) r) AS results`,
    values,
  );
  requirePage(page, list.results);
  return list;
}

/**
 * Requires that the page exists. The first page exists even if the list is empty.
 * @throws Refusal page_not_found past the last page
 */
export function requirePage(page: number, results: unknown[]): void {
  if (page > 1 && results.length === 0) throw refuse.page_not_found();
}

/**
 * Reads a page in one statement.
 * @param usesGenericPlan whether to use a prepared statement with its generic plan. Useful for a list that takes as
 * long to plan as to read, if the generic plan is good
 * @throws Refusal page_not_found
 */
export async function selectPage<Row>(query: PageQuery, { usesGenericPlan = false } = {}): Promise<Page<Row>> {
  const { text, values } = pageStatement(query);
  const [list] = (await (usesGenericPlan ? queryGenericPlan : rows)<PageText>(text, values)) as [PageText];
  const results = JSON.parse(list.results) as Row[];
  requirePage(query.page, results);
  return { count: list.count, results };
}
