import { changeRow, now } from '../../database/model/change.js';
import { findRow } from '../../database/model/read.js';
import { currentOrganization, firstRow, rows } from '../../database/rows.js';
import { RowMissing } from '../../errors.js';
import { notify } from '../../notifications/notify.js';
import { holdsRight } from '../../organizations/holdsRight.js';
import { notifications } from '../notifications.js';
import { stopForLostRight } from './cancelDuesRun.js';
import { DuesRun, type RunStatus } from './DuesRun.js';

/** Chapters per transaction. */
const CHAPTERS_PER_BATCH = 10;

/**
 * Issues the planned invoices of the next chapters. Safe to repeat: it skips payers who have an invoice of this run
 * (even a void one), who were otherwise billed for the term, or whose accounts were deleted. A run that has ended
 * issues nothing. If the user who confirmed the run has lost the right to issue dues, the run ends.
 * @param after the last chapter of the previous batch
 * @returns the last chapter of this batch, or null when no chapter remains
 */
export async function issueNextChapters(duesRunId: string, after: string | null): Promise<string | null> {
  const running = await firstRow<{ notify: boolean; started_by: string | null }>(
    `SELECT notify, started_by FROM dues_runs WHERE id = $1 AND status = 'running' FOR NO KEY UPDATE`,
    [duesRunId],
  );
  if (!running) return null;
  const batch = await rows<{ chapter_id: string }>(
    `SELECT DISTINCT chapter_id FROM dues_run_items
      WHERE organization_id = $1 AND dues_run_id = $2 AND ($3::uuid IS NULL OR chapter_id > $3) ORDER BY chapter_id LIMIT $4`,
    [currentOrganization(), duesRunId, after, CHAPTERS_PER_BATCH],
  );
  const last = batch.at(-1)?.chapter_id;
  if (!last) return null;
  if (!(await holdsRight({ userId: running.started_by, authority: 'organization' }))) {
    await stopForLostRight(duesRunId);
    return null;
  }
  const issued = await issueInvoices(
    duesRunId,
    batch.map(({ chapter_id }) => chapter_id),
  );
  if (running.notify) await notify(notifications.invoice_issued, issued);
  await updateProgress(duesRunId, last);
  return batch.length < CHAPTERS_PER_BATCH ? null : last;
}

/**
 * Issues the planned invoices of these chapters.
 * @returns the ids of the new invoices
 */
async function issueInvoices(duesRunId: string, chapterIds: string[]): Promise<string[]> {
  const issued = await rows<{ id: string }>(
    `WITH run AS (
       SELECT r.id, r.term_id, r.due_date, t.name AS term, app.local_day_of(o.timezone, r.created_at) AS issue_date,
              coalesce((SELECT currency FROM org_dues_settings WHERE organization_id = $1), 'usd') AS currency
         FROM dues_runs r JOIN organizations o ON o.id = r.organization_id
         JOIN terms t ON t.organization_id = r.organization_id AND t.id = r.term_id
        WHERE r.organization_id = $1 AND r.id = $2),
     items AS (
       SELECT * FROM dues_run_items i WHERE organization_id = $1 AND dues_run_id = $2 AND chapter_id = ANY($3)
          AND NOT EXISTS (SELECT 1 FROM chapter_invoices v WHERE v.organization_id = $1 AND v.dues_run_id = $2
            AND v.chapter_id = i.chapter_id AND v.membership_id IS NOT DISTINCT FROM i.membership_id)
          AND NOT EXISTS (SELECT FROM memberships m WHERE m.organization_id = $1 AND m.id = i.membership_id AND app.is_gone(m.user_id))),
     issued AS (
       INSERT INTO chapter_invoices (organization_id, chapter_id, term_id, dues_run_id, payer_type, membership_id, is_recurring,
                                     description, currency, issue_date, due_date)
       SELECT DISTINCT $1::uuid, items.chapter_id, run.term_id, run.id, CASE WHEN membership_id IS NULL THEN 'chapter' ELSE 'member' END,
              membership_id, true, 'Dues, ' || run.term, run.currency, run.issue_date, run.due_date
         FROM items CROSS JOIN run
       ON CONFLICT DO NOTHING
       RETURNING id, chapter_id, membership_id),
     lines AS (
     INSERT INTO invoice_line_items (organization_id, invoice_id, membership_id, description, quantity, unit_amount_cents, amount_cents)
     SELECT $1, issued.id, items.membership_id, 'Dues, ' || run.term || ' (' || replace(items.status, '_', ' ') || ')',
            items.quantity, items.amount_cents, items.quantity * items.amount_cents
       FROM issued CROSS JOIN run
       JOIN items ON items.chapter_id = issued.chapter_id AND items.membership_id IS NOT DISTINCT FROM issued.membership_id)
     SELECT id FROM issued`,
    [currentOrganization(), duesRunId, chapterIds],
  );
  return issued.map(({ id }) => id);
}

/**
 * Counts all invoices that the run has issued, instead of adding this batch to the previous count, so that a repeated
 * batch is not counted twice.
 */
async function updateProgress(duesRunId: string, lastChapter: string): Promise<void> {
  await rows(
    `UPDATE dues_runs r SET invoices_issued = v.invoices, issued_cents = v.cents, chapters_done = greatest(r.chapters_done,
            (SELECT count(DISTINCT chapter_id) FROM dues_run_items WHERE organization_id = $1 AND dues_run_id = $2 AND chapter_id <= $3))
       FROM (SELECT count(*) AS invoices, coalesce(sum(total_cents), 0)::bigint AS cents
               FROM chapter_invoices WHERE organization_id = $1 AND dues_run_id = $2) v
      WHERE r.organization_id = $1 AND r.id = $2`,
    [currentOrganization(), duesRunId, lastChapter],
  );
}

/**
 * Completes a run whose chapters are all done; repeated, it changes nothing. @returns the run's final status @throws
 * RowMissing
 */
export async function completeDuesRun(duesRunId: string): Promise<RunStatus> {
  const running = { id: duesRunId, status: 'running' } as const;
  const completed = await changeRow(DuesRun, running, { status: 'completed', completed_at: now });
  if (completed) await notify(notifications.dues_run_ended, [duesRunId]);
  const run = completed ?? (await findRow(DuesRun, duesRunId));
  if (!run) throw new RowMissing('There is no such dues run.');
  return run.status;
}
