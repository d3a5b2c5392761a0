/** One page of a list in one statement: narrow rows are sorted and cut first, then joined. */
import { refuse } from '../errors.js';
import { genericRows } from './keptRows.js';
import { oneRow, rows, type Statement } from './rows.js';

export interface PageRequest {
  /** From 1. */
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
  /** The same without joins that only the order needs, for the count. */
  counted?: string;
  /** Conditions with `$1…`; the tenant is in there already by row level security, name it again for the index. */
  where: string;
  values: unknown[];
  /** A sort expression over `from` and its direction (`i.due_date DESC NULLS LAST`), or nothing; the primary key is appended. */
  orderBy: string;
  /** The primary key, with its alias: `i.id`. */
  key: string;
  /** Table with alias, and key, of the results, where `from` begins with another table that has the same keys. */
  rows?: { table: string; key: string };
  /** Columns over `from` that the chosen rows carry, for `select`: there they go by `narrow`. */
  carried?: string;
  /** Columns of a result, over `from`'s alias and `join`. */
  select: string;
  /** Joins for the chosen rows only. */
  join?: string;
}

/** A page as `pageStatement` reads it. */
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
  // The rows of a page are sorted again by what they were cut by: to number them costs more.
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
  return { text, values, kept: true };
}

/**
 * Builds the LIMIT clause of a page. LIMIT is a literal: with a parameter the planner expects a tenth of the rows, and joins
 * them accordingly. OFFSET is a parameter, so that all pages after the first share one kept plan: the planner then expects
 * to skip a tenth of the rows, but still to return a page. The first page has a plan without OFFSET, which expects to skip none.
 * @param given the statement's other values
 */
export function limitOf(
  { page, pageSize }: PageRequest,
  given: readonly unknown[],
): { limit: string; values: unknown[] } {
  if (page === 1) return { limit: `LIMIT ${pageSize}`, values: [...given] };
  const values = [...given, (page - 1) * pageSize];
  return { limit: `LIMIT ${pageSize} OFFSET $${values.length}`, values };
}

/** A list whose rows are no tenant's, of one table that needs no join. */
export type PlatformPageQuery = Omit<PageQuery, 'key' | 'join'>;

/** In one statement. @throws Refusal page_not_found past the last page */
export async function selectPlatformPage<Row>(query: PlatformPageQuery): Promise<Page<Row>> {
  const { from, where, orderBy, select, page } = query;
  const { limit, values } = limitOf(query, query.values);
  const found = await oneRow<Page<Row>>(
    `SELECT (SELECT count(*)::int FROM ${from} WHERE ${where}) AS count,
            (SELECT coalesce(json_agg(r), '[]') FROM (
               SELECT ${select} FROM ${from} WHERE ${where} ORDER BY ${orderBy} ${limit}) r) AS results`,
    values,
  );
  requirePage(page, found.results);
  return found;
}

/** @throws Refusal page_not_found past the last page (an empty list still has its first) */
export function requirePage(page: number, results: unknown[]): void {
  if (page > 1 && results.length === 0) throw refuse.page_not_found();
}

/**
 * Reads a page in one statement.
 * @param keeps whether the plans are kept, for a list that takes as long to plan as to read and is right on a generic plan
 * @throws Refusal page_not_found past the last page
 */
export async function selectPage<Row>(query: PageQuery, { keeps = false } = {}): Promise<Page<Row>> {
  const { text, values } = pageStatement(query);
  const [found] = (await (keeps ? genericRows : rows)<PageText>(text, values)) as [PageText];
  const results = JSON.parse(found.results) as Row[];
  requirePage(query.page, results);
  return { count: found.count, results };
}
