import { annualReceipts } from '../../../workflows/contracts/index.js';
import { audit } from '../../database/audit.js';
import { currentScope } from '../../database/connection.js';
import { enqueue } from '../../database/outbox.js';
import { currentOrganization, firstRow, oneRow } from '../../database/rows.js';
import { refuse } from '../../errors.js';
import { foundationErrors } from '../errors.js';
import { annualPlanHashSql, requireIssuable } from './previewAnnualReceipts.js';

/**
 * Starts the run that a preview showed: stores exactly that plan, and starts the workflow that issues it. While a run with
 * the same preview is in progress, returns that run, so that two requests at once start one.
 * @returns the id of the run
 * @throws Refusal foundation_not_configured, validation_error, foundation_incomplete, preview_stale, no_receipts_due,
 * annual_receipts_in_progress
 */
export async function startAnnualReceipts(taxYear: number, previewHash: string): Promise<string> {
  await requireIssuable(taxYear);
  const running = await findRunning(taxYear);
  if (running) return requireSamePreview(running, previewHash);
  const { id, hash, receipts } = await insertRun(taxYear, previewHash);
  if (id) return id;
  if (hash !== previewHash) throw refuse.preview_stale();
  if (receipts === 0) throw foundationErrors.no_receipts_due();
  // Another request has started a run in the meantime.
  const other = await findRunning(taxYear);
  if (!other) throw refuse.preview_stale();
  return requireSamePreview(other, previewHash);
}

/**
 * Starts a run for the donors who have no annual receipt of the year that the daily Schedule issues. Does nothing while
 * a run of that year is in progress, or if no receipt is due.
 */
export async function startDueAnnualReceipts(): Promise<void> {
  const year = await readDueYear();
  if (year !== null) await insertRun(year, null);
}

/** Reports whether the daily Schedule should start a run. */
export const hasDueAnnualReceipts = async (): Promise<boolean> => (await readDueYear()) !== null;

/**
 * Returns the tax year whose annual receipts the daily Schedule issues; null before 15 January, without a due receipt,
 * and while the foundation lacks facts that every receipt prints.
 */
async function readDueYear(): Promise<number | null> {
  const due = await firstRow<{ year: number }>(
    `SELECT y.year FROM foundation_configs f
      CROSS JOIN LATERAL (SELECT app.annual_receipt_year((now() AT TIME ZONE 'UTC')::date) AS year) y
      WHERE f.organization_id = $1 AND num_nonnulls(y.year::text, f.legal_name, f.ein, f.mailing_address) = 4
        AND EXISTS (SELECT FROM app.annual_receipts_due($1, y.year))`,
    [currentOrganization()],
  );
  return due?.year ?? null;
}

interface RunningRun {
  id: string;
  preview_hash: string;
}

const findRunning = (taxYear: number): Promise<RunningRun | null> =>
  firstRow<RunningRun>(
    `SELECT id, preview_hash FROM annual_receipt_runs WHERE organization_id = $1 AND tax_year = $2 AND status = 'running'`,
    [currentOrganization(), taxYear],
  );

function requireSamePreview({ id, preview_hash }: RunningRun, previewHash: string): string {
  if (preview_hash !== previewHash) throw foundationErrors.annual_receipts_in_progress();
  return id;
}

interface InsertedRun {
  /** Null if no run was inserted: the plan differs from the preview or is empty, or another run is in progress. */
  id: string | null;
  hash: string;
  receipts: number;
}

/**
 * Inserts a run with its plan in one statement, so that both are about the same gifts, and starts its workflow.
 * @param previewHash the preview that the plan must equal; null for any plan
 */
async function insertRun(taxYear: number, previewHash: string | null): Promise<InsertedRun> {
  const inserted = await oneRow<InsertedRun>(
    `WITH plan AS MATERIALIZED (SELECT * FROM app.annual_receipts_due($1, $2)),
     planned AS (
       SELECT count(*)::int AS receipts, sum(amount_cents)::bigint AS cents, ${annualPlanHashSql('plan', '$2')} AS hash FROM plan),
     run AS (
       INSERT INTO annual_receipt_runs (organization_id, tax_year, preview_hash, receipts_planned, planned_cents, started_by)
       SELECT $1, $2, hash, receipts, cents, $4 FROM planned WHERE receipts > 0 AND hash = coalesce($3, hash)
       ON CONFLICT (organization_id, tax_year) WHERE status = 'running' DO NOTHING RETURNING id),
     items AS (
       INSERT INTO annual_receipt_items (organization_id, run_id, donor_id, gift_count, amount_cents, digest)
       SELECT $1, run.id, p.donor_id, p.gift_count, p.amount_cents, p.digest FROM run CROSS JOIN plan p)
     SELECT run.id, planned.hash, planned.receipts FROM planned LEFT JOIN run ON true`,
    [currentOrganization(), taxYear, previewHash, currentScope().origin.userId],
  );
  const { id, hash } = inserted;
  if (!id) return inserted;
  await audit({
    action: 'annual_receipt_run.started',
    subjectType: 'annual_receipt_run',
    subjectId: id,
    after: { tax_year: taxYear, preview_hash: hash },
  });
  await enqueue(annualReceipts, { runId: id });
  return inserted;
}
