import type { FieldErrors } from '../../errors.js';
import { type Page, type PageRequest, selectPage } from '../../database/page.js';
import { currentOrganization, firstRow, rows } from '../../database/rows.js';
import { BATCH_SIZE } from './lines.js';

export const LINE_OUTCOMES = ['create', 'update', 'unchanged', 'error'] as const;
export const LINE_RESULTS = [
  'waiting',
  'created',
  'updated',
  'unchanged',
  'skipped',
  'failed',
  'undone',
  'kept',
] as const;

export interface ImportLine {
  id: string;
  line: number;
  cells: string[];
  chapter: string | null;
  membership: string | null;
  outcome: (typeof LINE_OUTCOMES)[number] | null;
  errors: FieldErrors;
  warnings: string[];
  changes: Record<string, [from: string | number | null, to: string | number]>;
  /** Maps each skipped field to a code for the reason. */
  fields_left: Record<string, string>;
  result: (typeof LINE_RESULTS)[number];
  why: string | null;
}

const SHOWN_COLUMNS = `r.id, r.line, r.cells, r.chapter_id AS chapter, r.membership_id AS membership, r.outcome, r.errors, r.warnings,
  r.changes, r.fields_left, r.result, r.why`;

interface LineListRequest extends PageRequest {
  importId: string;
  outcome: (typeof LINE_OUTCOMES)[number] | undefined;
  result: ImportLine['result'] | undefined;
}

/** Lists lines of an import, in one statement. @throws Refusal page_not_found */
export function listLines({ importId, outcome, result, ...page }: LineListRequest): Promise<Page<ImportLine>> {
  const values: unknown[] = [currentOrganization(), importId];
  const filter = (column: string, value: string | undefined) =>
    value === undefined ? '' : ` AND r.${column} = $${values.push(value)}`;
  const where = `r.organization_id = $1 AND r.import_id = $2${filter('outcome', outcome)}${filter('result', result)}`;
  return selectPage({
    from: 'bulk_import_rows r',
    where,
    values,
    orderBy: 'r.line ASC',
    key: 'r.id',
    select: SHOWN_COLUMNS,
    ...page,
  });
}

/** Returns one line, or null. */
export const findLine = (importId: string, id: string): Promise<ImportLine | null> =>
  firstRow<ImportLine>(
    `SELECT ${SHOWN_COLUMNS} FROM bulk_import_rows r WHERE r.organization_id = $1 AND r.import_id = $2 AND r.id = $3`,
    [currentOrganization(), importId, id],
  );

export type LineWithErrors = Pick<ImportLine, 'line' | 'cells' | 'errors' | 'why'>;

/**
 * Returns the next lines that are invalid or failed, with their original cells, so that they can be corrected in a
 * spreadsheet and imported again. Lines of erased people are left out.
 */
export const nextLinesWithErrors = (importId: string, after: number): Promise<LineWithErrors[]> =>
  rows(
    `SELECT line, cells, errors, why FROM bulk_import_rows
      WHERE organization_id = $1 AND import_id = $2 AND line > $3 AND (outcome = 'error' OR result = 'failed') AND cells <> '[]'
      ORDER BY line LIMIT ${BATCH_SIZE}`,
    [currentOrganization(), importId, after],
  );
