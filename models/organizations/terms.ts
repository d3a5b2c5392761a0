/** Terms of the tenant. They do not overlap, so at most one is current. */
import { type Page, type PageRequest, selectPage } from '../database/page.js';
import { currentOrganization, firstJson } from '../database/rows.js';
import './errors.js';
import { createRow, type Edit, editRow, lockRow } from './editRow.js';
import { Term } from './Term.js';

export interface TermRow {
  id: string;
  organization: string;
  name: string;
  starts_on: string;
  ends_on: string;
  /** Whether today, in the organization's time zone, is one of its days. */
  is_current: boolean;
  version: number;
  created_at: string;
  updated_at: string;
}

const ORGANIZATION = 'JOIN organizations o ON o.id = t.organization_id';
const COLUMNS = `t.id, t.organization_id AS organization, t.name, t.starts_on, t.ends_on,
  (now() AT TIME ZONE o.timezone)::date BETWEEN t.starts_on AND t.ends_on AS is_current,
  t.version, t.created_at, t.updated_at`;

export type TermFields = Pick<Term, 'name' | 'starts_on' | 'ends_on'>;

/** In one statement. @throws Refusal page_not_found */
export const listTerms = (orderBy: string, page: PageRequest): Promise<Page<TermRow>> =>
  selectPage<TermRow>({
    from: 'terms t',
    where: 't.organization_id = $1',
    values: [currentOrganization()],
    orderBy,
    key: 't.id',
    select: COLUMNS,
    join: ORGANIZATION,
    ...page,
  });

export const readTerm = (id: string): Promise<TermRow | null> =>
  firstJson<TermRow>(`SELECT ${COLUMNS} FROM terms t ${ORGANIZATION} WHERE t.organization_id = $1 AND t.id = $2`, [
    currentOrganization(),
    id,
  ]);

/** @returns the new term's id. @throws Refusal duplicate, term_overlap, validation_error */
export const createTerm = (fields: TermFields): Promise<string> => createRow(Term, 'term', fields);

/** @throws Refusal not_found, stale_version, duplicate, term_overlap, validation_error */
export async function changeTerm(id: string, edit: Edit<TermFields>): Promise<void> {
  await editRow(await lockRow(Term, id), 'term', edit);
}
