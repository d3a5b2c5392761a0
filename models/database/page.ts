/** Reads one page of a list in one statement: narrow rows are sorted and cut first, then joined. */
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
  /** Table and alias of the narrow rows, with joins only where a filter needs them: `chapter_invoices i`. */
  from: string;
  /** `from` for the count, without joins that only the order needs. */
  counted?: string;
  /** Conditions with `$1…`. Row level security adds the tenant; name it here too for the index. */
  where: string;
  values: unknown[];
  /**
   * Sort expression over `from` with its direction (`i.due_date DESC NULLS LAST`), or empty; the primary key is
   * appended.
   */
  orderBy: string;
  /** The primary key, with its alias: `i.id`. */
  key: string;
  /** Table with alias and key of the results, where `from` begins with another table that has the same keys. */
  rows?: { table: string; key: string };
  /** Columns over `from` that the selected rows carry, for `select`: their alias there is `narrow`. */
  carried?: string;
  /** Columns of a result, over `from`'s alias and `join`. */
  select: string;
  /** Joins for the selected rows only. */
  join?: string;
}

/** A page as `pageStatement` returns it. */
export interface PageText {
  count: number;
  /** A JSON array. */
  results: string;
}

/** Builds the statement whose one row is a PageText. Each page size has two plans: the first page's, and that of all others. */
export function pageStatement(query: PageQuery): Statement {
  const { from, counted = from, where, orderBy, key, carried, select, join = '', rows } = query;
  const { limit, values } = limitOf(query, query.values);
  const [table, alias] = (rows?.table ?? from).trim().split(/\s+/, 2) as [string, string];
  const [, sorted = '', how = ''] = /^(.*?)((?: (?:ASC|DESC))?(?: NULLS LAST)?)$/.exec(orderBy) ?? [];
  const direction = how.includes('DESC') ? 'DESC' : 'ASC';
  const by = sorted || key;
  // The selected rows are sorted again, which costs less than numbering them.
  const order = (sort: string, id: string): string => `ORDER BY ${sort}${how}, ${id} ${direction}`;
  const text = `
    SELECT (SELECT count(*)::int FROM ${counted} WHERE ${where}) AS count,
           (SELECT coalesce(json_agg(one)::text, '[]') FROM (
              SELECT ${select}
                FROM (SELECT ${key} AS narrow_id, ${by} AS narrow_by${carried ? `, ${carried}` : ''}
                        FROM ${from} WHERE ${where} ${order(by, key)} ${limit}) narrow
                JOIN ${table} ${alias} ON ${alias}.organization_id = (SELECT app.org_id()) AND ${rows?.key ?? key} = narrow.narrow_id
                ${join}
               ${order('narrow.narrow_by', 'narrow.narrow_id')}) one) AS results`;
  return { text, values, prepared: true };
}

/**
 * Builds the LIMIT clause of a page. LIMIT is a literal: with a parameter the planner expects a tenth of the rows, and
 * joins them accordingly. OFFSET is a parameter, so that all pages after the first share one prepared plan: the planner
 * then expects to skip a tenth of the rows, but still to return a page. The first page has a plan without OFFSET, which
 * expects to skip none.
 * @param otherValues the statement's other values
 */
export function limitOf(
  { page, pageSize }: PageRequest,
  otherValues: readonly unknown[],
): { limit: string; values: unknown[] } {
  if (page === 1) return { limit: `LIMIT ${pageSize}`, values: [...otherValues] };
  const values = [...otherValues, (page - 1) * pageSize];
  return { limit: `LIMIT ${pageSize} OFFSET $${values.length}`, values };
}

/** List of a platform table, without joins. */
export type PlatformPageQuery = Omit<PageQuery, 'key' | 'join'>;

/** Reads a page in one statement. @throws Refusal page_not_found past the last page */
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

/** @throws Refusal page_not_found past the last page (the first page of an empty list exists) */
export function requirePage(page: number, results: unknown[]): void {
  if (page > 1 && results.length === 0) throw refuse.page_not_found();
}

/**
 * Reads a page in one statement.
 * @param usesGenericPlan whether to use a prepared statement with its generic plan: for a list whose planning takes as
 * long as its reading and which the generic plan serves well
 * @throws Refusal page_not_found
 */
export async function selectPage<Row>(query: PageQuery, { usesGenericPlan = false } = {}): Promise<Page<Row>> {
  const { text, values } = pageStatement(query);
  const [list] = (await (usesGenericPlan ? queryGenericPlan : rows)<PageText>(text, values)) as [PageText];
  const results = JSON.parse(list.results) as Row[];
  requirePage(query.page, results);
  return { count: list.count, results };
}
