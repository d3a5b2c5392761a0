/** Runs and how far they have come. */
import { type Page, type PageRequest, selectPage } from '../../database/page.js';
import { firstJson } from '../../database/rows.js';
import { refuse } from '../../errors.js';

export const RUN_STATUSES = ['running', 'completed', 'failed', 'cancelled'] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

export interface DuesRun {
  id: string;
  term: string;
  term_name: string;
  due_date: string;
  preview_hash: string;
  status: RunStatus;
  chapters_total: number;
  chapters_done: number;
  invoices_planned: number;
  invoices_issued: number;
  planned_cents: number;
  issued_cents: number;
  started_by: string | null;
  created_at: string;
  completed_at: string | null;
  workflow_id: string;
}

const COLUMNS = `r.id, r.term_id AS term, t.name AS term_name, r.due_date, r.preview_hash, r.status, r.chapters_total, r.chapters_done,
  r.invoices_planned, r.invoices_issued, r.planned_cents, r.issued_cents, r.started_by, r.created_at, r.completed_at,
  'dues-run/' || r.id AS workflow_id`;
const TERM = 'JOIN terms t ON t.organization_id = r.organization_id AND t.id = r.term_id';

export interface RunQuery extends PageRequest {
  term: string | undefined;
  status: RunStatus | undefined;
  orderBy: string;
}

export function listDuesRuns({ term, status, ...page }: RunQuery): Promise<Page<DuesRun>> {
  return selectPage<DuesRun>({
    from: 'dues_runs r',
    where:
      'r.organization_id = (SELECT app.org_id()) AND ($1::uuid IS NULL OR r.term_id = $1) AND ($2::text IS NULL OR r.status = $2)',
    values: [term ?? null, status ?? null],
    key: 'r.id',
    select: COLUMNS,
    join: TERM,
    ...page,
  });
}

/** @throws Refusal not_found */
export async function readDuesRun(id: string): Promise<DuesRun> {
  const row = await firstJson<DuesRun>(
    `SELECT ${COLUMNS} FROM dues_runs r ${TERM}
      WHERE r.organization_id = (SELECT app.org_id()) AND r.id = $1`,
    [id],
  );
  if (!row) throw refuse.not_found();
  return row;
}
