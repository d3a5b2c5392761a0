import type { Definition, Kind } from '../../database/model/defineModel.js';
import { shownSql } from '../../database/model/read.js';
import { type Page, type PageRequest, selectPage } from '../../database/page.js';
import { currentOrganization } from '../../database/rows.js';

export interface RequestList extends PageRequest {
  /** Lists only requests of these chapters; null: of all chapters. */
  chapters: string[] | null;
  /** Columns that name the chapter of a request. Default: the chapter in which it was filed. */
  chapterColumns?: readonly string[];
  status: string | undefined;
  orderBy: string;
}

/** Lists requests of one kind, in one statement. @throws Refusal page_not_found */
export function listRequests<Row>(
  { definition }: Kind & { definition: Definition },
  { chapters, chapterColumns = ['chapter_id'], status, ...page }: RequestList,
): Promise<Page<Row>> {
  const { table } = definition;
  const inChapters = chapterColumns.map((column) => `${table}.${column} = ANY ($2)`).join(' OR ');
  return selectPage<Row>({
    from: `${table} ${table}`,
    where: `${table}.organization_id = $1 AND ($2::uuid[] IS NULL OR ${inChapters})
      AND ($3::text IS NULL OR ${table}.status = $3)`,
    values: [currentOrganization(), chapters, status ?? null],
    key: `${table}.id`,
    select: shownSql({ definition }),
    ...page,
  });
}
