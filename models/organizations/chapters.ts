/** Chapters of the tenant. */
import { type Page, type PageRequest, selectPage } from '../database/page.js';
import { type ShownRow, shownSql } from '../database/model/read.js';
import { currentOrganization, firstRow } from '../database/rows.js';
import { Refusal, refuse } from '../errors.js';
import { Chapter } from './Chapter.js';
import { organizationsErrors } from './errors.js';
import { anyLike, containing } from './search.js';
import type { ChapterStatus } from './vocabulary.js';

export interface ChapterList extends PageRequest {
  status: ChapterStatus | undefined;
  region: string | undefined;
  search: string | undefined;
  orderBy: string;
}

/** Columns that a search of chapters looks at. */
export const SEARCHED_CHAPTER_COLUMNS = ['name', 'designation', 'university', 'city'].map(
  (column) => `chapters.${column}`,
);

/** Lists chapters in one statement. @throws Refusal page_not_found */
export const listChapters = ({
  status,
  region,
  search,
  ...list
}: ChapterList): Promise<Page<ShownRow<typeof Chapter>>> =>
  selectPage({
    from: 'chapters chapters',
    where: `chapters.organization_id = $1 AND ($2::text IS NULL OR status = $2) AND ($3::uuid IS NULL OR region_id = $3)
      AND ($4::text IS NULL OR ${anyLike(SEARCHED_CHAPTER_COLUMNS, '$4')})`,
    values: [currentOrganization(), status ?? null, region ?? null, search ? containing(search) : null],
    key: 'chapters.id',
    select: shownSql(Chapter),
    ...list,
  });

/**
 * Returns one page of a list that belongs to a chapter. If the page is empty, checks whether the chapter exists.
 * @throws Refusal not_found, page_not_found
 */
export async function pageOfChapter<ListPage extends Page<unknown>>(
  chapterId: string,
  list: Promise<ListPage>,
): Promise<ListPage> {
  const page = await list.catch((error: unknown) => {
    if (error instanceof Refusal) return error;
    throw error;
  });
  const empty = page instanceof Refusal || page.count === 0;
  if (empty && !(await chapterExists(chapterId))) throw refuse.not_found();
  if (page instanceof Refusal) throw page;
  return page;
}

/**
 * SQL that returns a row if chapter `$2` is active, and no row otherwise. The lock keeps the chapter active until the
 * transaction ends.
 */
export const LOCK_ACTIVE_CHAPTER = `SELECT FROM chapters WHERE organization_id = $1 AND id = $2 AND status = 'active' FOR SHARE`;

/** Reports whether the chapter is active, and locks it so that it stays active until the transaction ends. */
export const isActiveChapter = async (id: string): Promise<boolean> =>
  (await firstRow(LOCK_ACTIVE_CHAPTER, [currentOrganization(), id])) !== null;

/**
 * Requires that the chapter is active, because an inactive chapter takes no new members, requests or bulletins.
 * @throws Refusal chapter_not_active
 */
export async function requireActiveChapter(id: string): Promise<void> {
  if (!(await isActiveChapter(id))) throw organizationsErrors.chapter_not_active();
}

/** Reports whether this tenant has the chapter. */
export const chapterExists = async (id: string): Promise<boolean> =>
  (await firstRow('SELECT 1 FROM chapters WHERE organization_id = $1 AND id = $2', [currentOrganization(), id])) !==
  null;

/** Reports whether officers of the chapter need approval to add members; null if this tenant has no such chapter. */
export const doOfficersAddByRequest = async (id: string): Promise<boolean | null> =>
  (
    await firstRow<{ by_request: boolean }>(
      `SELECT o.officers_add_members = 'by_request' AS by_request
         FROM chapters c JOIN organizations o ON o.id = c.organization_id WHERE c.organization_id = $1 AND c.id = $2`,
      [currentOrganization(), id],
    )
  )?.by_request ?? null;
