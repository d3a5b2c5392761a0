/** Page-number pagination and ordering (spec: Pagination, filtering, ordering). */
import { z } from 'zod';
import type { Page, PageRequest, PageText } from '../../models/database/page.js';
import type { RequestFacts } from './routes.js';

const DEFAULT_SIZE = 25;
const MAX_SIZE = 100;
const wholeNumber = z
  .string()
  .regex(/^[1-9]\d{0,8}$/, 'Must be a whole number from 1.')
  .transform(Number);

/** Query fields of every paginated list. */
export const pageQuery = {
  page: wholeNumber.default(1).meta({ description: 'From 1.', example: 1, override: { type: 'integer', minimum: 1 } }),
  page_size: wholeNumber
    .transform((size) => Math.min(size, MAX_SIZE))
    .default(DEFAULT_SIZE)
    .meta({ description: 'Up to 100; more gives 100.', example: 25, override: { type: 'integer', minimum: 1 } }),
};

/** Schema of a list page of `item`. */
export const pageOf = <S extends z.ZodType>(item: S) =>
  z.object({
    count: z.int().meta({ description: 'Rows on all pages.' }),
    next: z.url().nullable(),
    previous: z.url().nullable(),
    results: z.array(item),
  });

/** An `ordering` query field over a whitelist of field name to SQL expression. */
export function ordering<Name extends string>(
  fields: Record<Name, string>,
  byDefault: NoInfer<Name | `-${Name}`>,
  nullable: NoInfer<Name>[] = [],
) {
  const names = Object.keys(fields) as Name[];
  const choices = names.flatMap((name) => [name, `-${name}` as const]);
  return z
    .enum(choices as [string, ...string[]], `Must be one of ${choices.join(', ')}.`)
    .default(byDefault)
    .transform((choice) => {
      const name = choice.replace('-', '') as Name;
      const direction = choice.startsWith('-') ? 'DESC' : 'ASC';
      return `${fields[name]} ${direction}${nullable.includes(name) ? ' NULLS LAST' : ''}`;
    });
}

export const pageRequest = (query: { page: number; page_size: number }): PageRequest => ({
  page: query.page,
  pageSize: query.page_size,
});

export type PageQuery = { page: number; page_size: number };

/** Absolute links that keep the other query parameters. */
function linksOf(count: number, query: PageQuery, request: RequestFacts) {
  const { href } = new URL(request.url);
  const parameters = new URLSearchParams(request.raw.url.split('?')[1] ?? '');
  const link = (number: number): string => {
    parameters.set('page', String(number));
    return `${href}?${parameters}`;
  };
  const last = Math.max(1, Math.ceil(count / query.page_size));
  return {
    next: query.page < last ? link(query.page + 1) : null,
    previous: query.page > 1 ? link(query.page - 1) : null,
  };
}

/** Presents a list page with its links. */
export function presentPage<Row, Json>(
  { count, results }: Page<Row>,
  query: PageQuery,
  request: RequestFacts,
  present: (row: Row) => Json,
) {
  return { count, ...linksOf(count, query, request), results: results.map(present) };
}

/** Presents a page whose rows are JSON already; null when there are none. */
export function pageAsText({ count, results }: PageText, query: PageQuery, request: RequestFacts): string | null {
  if (results === '[]') return null;
  const { next, previous } = linksOf(count, query, request);
  return `{"count":${count},"next":${JSON.stringify(next)},"previous":${JSON.stringify(previous)},"results":${results}}`;
}
