import { type ShownRow, shownSql } from '../../database/model/read.js';
import { type Page, type PageRequest, selectPage } from '../../database/page.js';
import { currentOrganization } from '../../database/rows.js';
import { OfficerTerm } from './OfficerTerm.js';

export type ShownTerm = ShownRow<typeof OfficerTerm>;

/** Maximum number of running terms that are shown together; chapters have few offices. */
const MAX_RUNNING_TERMS = 100;

interface TermList extends PageRequest {
  chapter: string;
  /** Whether to list running terms (true) or ended terms (false); default: both. */
  running: boolean | undefined;
  orderBy: string;
}

/** Lists terms of a chapter, in one statement. @throws Refusal page_not_found */
export const listTerms = ({ chapter, running, ...page }: TermList): Promise<Page<ShownTerm>> =>
  selectPage<ShownTerm>({
    from: 'officer_terms officer_terms',
    where: `officer_terms.organization_id = $1 AND officer_terms.chapter_id = $2
      AND ($3::boolean IS NULL OR (officer_terms.ended_on IS NULL) = $3)`,
    values: [currentOrganization(), chapter, running ?? null],
    key: 'officer_terms.id',
    select: shownSql(OfficerTerm),
    ...page,
  });

/** Lists the running terms of a chapter by their first day. */
export const runningTerms = async (chapter: string): Promise<ShownTerm[]> =>
  (
    await listTerms({
      chapter,
      running: true,
      orderBy: 'officer_terms.starts_on',
      page: 1,
      pageSize: MAX_RUNNING_TERMS,
    })
  ).results;
