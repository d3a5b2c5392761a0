import type { Definition, Kind } from '../../database/model/defineModel.js';
import { shownSql } from '../../database/model/read.js';
import { type Page, type PageRequest, selectPage } from '../../database/page.js';
import { currentOrganization } from '../../database/rows.js';

export interface RequestList extends PageRequest {
  /** Whose requests; null for all of the organization. */
  chapters: string[] | null;
  /** Columns that name a chapter whose requests these are; left out: the one in which it was asked. */
  of?: readonly string[];
  status: string | undefined;
  orderBy: string;
}

/** Requests of one kind, in one statement. @throws Refusal page_not_found */
export function listRequests<Row>(
  { definition }: Kind & { definition: Definition },
  { chapters, of = ['chapter_id'], status, ...page }: RequestList,
): Promise<Page<Row>> {
  const { table } = definition;
  const own = of.map((column) => `${table}.${column} = ANY ($2)`).join(' OR ');
  return selectPage<Row>({
    from: `${table} ${table}`,
    where: `${table}.organization_id = $1 AND ($2::uuid[] IS NULL OR ${own})
      AND ($3::text IS NULL OR ${table}.status = $3)`,
    values: [currentOrganization(), chapters, status ?? null],
    key: `${table}.id`,
    select: shownSql({ definition }),
    ...page,
  });
}
