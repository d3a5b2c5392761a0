import { issueDues } from '../../../workflows/contracts/index.js';
import { audit } from '../../database/audit.js';
import { currentScope } from '../../database/connection.js';
import { createRow } from '../../database/model/change.js';
import { readRow, type ShownRow } from '../../database/model/read.js';
import { enqueue } from '../../database/outbox.js';
import { currentOrganization, oneRow } from '../../database/rows.js';
import { refuse } from '../../errors.js';
import { financesErrors } from '../errors.js';
import { DuesRun } from './DuesRun.js';
import { planHashSql, duesPlanSql } from './plan.js';
import { requirePlannable } from './requirePlannable.js';

/**
 * Starts the run that a preview showed: stores exactly that plan, and starts the workflow that issues it. Later changes
 * of rates, rosters and billing modes apply to the next run.
 * @throws Refusal validation_error, preview_stale, dues_run_in_progress, nothing_to_issue
 */
export async function startDuesRun(
  term: string,
  dueDate: string,
  previewHash: string,
  notify = true,
): Promise<ShownRow<typeof DuesRun>> {
  await requirePlannable(term, dueDate);
  const organizationId = currentOrganization();
  const { id } = await createRow(DuesRun, {
    term_id: term,
    due_date: dueDate,
    preview_hash: previewHash,
    notify,
    started_by: currentScope().origin.userId,
  });
  const { planned } = await oneRow<{ planned: number }>(
    `WITH ${duesPlanSql()}, written AS (
       INSERT INTO dues_run_items (organization_id, dues_run_id, chapter_id, membership_id, status, quantity, amount_cents)
       SELECT $1, $3, chapter_id, membership_id, status, quantity, amount_cents FROM plan RETURNING 1)
     SELECT count(*)::int AS planned FROM written`,
    [organizationId, term, id],
  );
  // The hash is computed from the written rows, so that exactly what was confirmed is issued.
  const { hash } = await oneRow<{ hash: string }>(
    `SELECT ${planHashSql('dues_run_items WHERE organization_id = $1 AND dues_run_id = $4', '$5::boolean')} AS hash`,
    [organizationId, term, dueDate, id, notify],
  );
  if (hash !== previewHash) throw refuse.preview_stale();
  if (planned === 0) throw financesErrors.nothing_to_issue();
  await oneRow(
    `UPDATE dues_runs r SET chapters_total = i.chapters, invoices_planned = i.invoices, planned_cents = i.cents
       FROM (SELECT count(DISTINCT chapter_id) AS chapters, count(DISTINCT (chapter_id, membership_id)) AS invoices,
                    sum(quantity * amount_cents)::bigint AS cents
               FROM dues_run_items WHERE organization_id = $1 AND dues_run_id = $2) i
      WHERE r.id = $2 RETURNING r.id`,
    [organizationId, id],
  );
  await audit({
    action: 'dues_run.started',
    subjectType: 'dues_run',
    subjectId: id,
    after: { term, due_date: dueDate, preview_hash: previewHash, notify },
  });
  await enqueue(issueDues, { duesRunId: id });
  return readRow(DuesRun, id);
}
