/** Chapters of the tenant. */
import { type Page, type PageRequest, selectPage } from '../database/page.js';
import { currentOrganization, firstJson, firstRow } from '../database/rows.js';
import { Chapter } from './Chapter.js';
import './errors.js';
import { createRow, type Edit, editRow, lockRow } from './editRow.js';
import { containing } from './search.js';
import type { ChapterStatus } from './vocabulary.js';

export interface ChapterRow {
  id: string;
  organization: string;
  region: string | null;
  name: string;
  designation: string | null;
  university: string | null;
  city: string | null;
  state: string | null;
  founded_date: string | null;
  status: ChapterStatus;
  version: number;
  created_at: string;
  updated_at: string;
}

const COLUMNS = `c.id, c.organization_id AS organization, c.region_id AS region, c.name, c.designation, c.university,
  c.city, c.state, c.founded_date, c.status, c.version, c.created_at, c.updated_at`;

export interface ChapterFields {
  name: string;
  region?: string | null | undefined;
  designation?: string | null | undefined;
  university?: string | null | undefined;
  city?: string | null | undefined;
  state?: string | null | undefined;
  founded_date?: string | null | undefined;
  status?: ChapterStatus | undefined;
}

export interface ChapterList extends PageRequest {
  status: ChapterStatus | undefined;
  region: string | undefined;
  search: string | undefined;
  orderBy: string;
}

/** In one statement. @throws Refusal page_not_found */
export function listChapters({
  status,
  region,
  search,
  orderBy,
  page,
  pageSize,
}: ChapterList): Promise<Page<ChapterRow>> {
  return selectPage<ChapterRow>({
    from: 'chapters c',
    where: `c.organization_id = $1 AND ($2::text IS NULL OR c.status = $2) AND ($3::uuid IS NULL OR c.region_id = $3)
      AND ($4::text IS NULL OR c.name ILIKE $4 OR c.designation ILIKE $4 OR c.university ILIKE $4 OR c.city ILIKE $4)`,
    values: [currentOrganization(), status ?? null, region ?? null, search ? containing(search) : null],
    orderBy,
    key: 'c.id',
    select: COLUMNS,
    page,
    pageSize,
  });
}

export const readChapter = (id: string): Promise<ChapterRow | null> =>
  firstJson<ChapterRow>(`SELECT ${COLUMNS} FROM chapters c WHERE c.organization_id = $1 AND c.id = $2`, [
    currentOrganization(),
    id,
  ]);

/** Whether this tenant has the chapter. */
export const chapterExists = async (id: string): Promise<boolean> =>
  (await firstRow('SELECT 1 FROM chapters WHERE organization_id = $1 AND id = $2', [currentOrganization(), id])) !==
  null;

/** The link is called `region` outside and `region_id` in the row. */
function toColumns<Fields extends Edit<ChapterFields>>({ region, ...fields }: Fields) {
  return region === undefined ? fields : { ...fields, region_id: region };
}

/** @returns the new chapter's id. @throws Refusal duplicate, validation_error for an unknown region */
export const createChapter = (fields: ChapterFields): Promise<string> =>
  createRow(Chapter, 'chapter', toColumns(fields));

/** @throws Refusal not_found, stale_version, duplicate, validation_error for an unknown region */
export async function changeChapter(id: string, edit: Edit<ChapterFields>): Promise<void> {
  await editRow(await lockRow(Chapter, id), 'chapter', toColumns(edit));
}
