import { changeRow, now } from '../../database/model/change.js';
import { findRow } from '../../database/model/read.js';
import { audit } from '../../database/audit.js';
import { currentOrganization, firstRow, rows } from '../../database/rows.js';
import { RowMissing } from '../../errors.js';
import { STOPPED_RIGHT_LOST } from '../../organizations/holdsRight.js';
import { isStillAdmin } from '../config/isStillAdmin.js';
import { AnnualReceiptRun, type AnnualRunStatus } from './AnnualReceiptRun.js';
import { insertAnnualReceipt, lockDonors, readAnnualGifts, readIssuer } from './annualReceipts.js';
import { readLastAnnualReceipts } from './correctAnnualReceipts.js';

/** Donors per transaction. */
const DONORS_PER_PAGE = 50;

/**
 * Issues the annual receipts of the next donors of a run, exactly as they were planned: a donor whose gifts or name
 * changed since is left to the next run. Safe to repeat: a donor with a valid receipt gets no other one. A run that has
 * ended issues nothing. If the person who confirmed the run is no admin of the foundation any more, the run ends.
 * @param after the last donor of the previous page
 * @returns the last donor of this page, or null when no donor remains
 */
export async function issueNextAnnualReceipts(runId: string, after: string | null): Promise<string | null> {
  const run = await firstRow<{ tax_year: number; started_by: string | null }>(
    `SELECT tax_year, started_by FROM annual_receipt_runs WHERE organization_id = $1 AND id = $2 AND status = 'running'
        FOR NO KEY UPDATE`,
    [currentOrganization(), runId],
  );
  if (!run) return null;
  const donors = await readPlannedDonors(runId, after);
  if (donors.length === 0) return null;
  if (!(await isStillAdmin(run.started_by))) {
    await stopForLostRight(runId);
    return null;
  }
  await issueReceipts(runId, run.tax_year, donors);
  await updateProgress(runId);
  return donors.at(-1) ?? null;
}

const readPlannedDonors = async (runId: string, after: string | null): Promise<string[]> => {
  const items = await rows<{ donor_id: string }>(
    `SELECT donor_id FROM annual_receipt_items
      WHERE organization_id = $1 AND run_id = $2 AND ($3::uuid IS NULL OR donor_id > $3) ORDER BY donor_id LIMIT $4`,
    [currentOrganization(), runId, after, DONORS_PER_PAGE],
  );
  return items.map(({ donor_id }) => donor_id);
};

async function issueReceipts(runId: string, taxYear: number, donorIds: readonly string[]): Promise<void> {
  await lockDonors(donorIds);
  // Reads after the lock, so that it sees the gifts of the transactions for which the lock waited.
  const unchanged = await rows<{ donor_id: string }>(
    `SELECT d.donor_id FROM app.annual_receipts_due($1, $3) d
       JOIN annual_receipt_items i ON i.organization_id = $1 AND i.run_id = $2 AND i.donor_id = d.donor_id
      WHERE d.donor_id = ANY ($4) AND i.digest = d.digest`,
    [currentOrganization(), runId, taxYear, donorIds],
  );
  if (unchanged.length === 0) return;
  const ids = unchanged.map(({ donor_id }) => donor_id);
  const issuer = await readIssuer();
  const last = await readLastAnnualReceipts(ids, taxYear);
  for (const gifts of await readAnnualGifts(ids, taxYear))
    await insertAnnualReceipt(issuer, gifts, { taxYear, runId, last: last.get(gifts.donor_id) ?? null });
}

/** Counts the issued receipts instead of adding to the old number, so that a repeated page counts once. */
const updateProgress = (runId: string): Promise<unknown> =>
  rows(
    `UPDATE annual_receipt_runs r SET receipts_issued = t.receipts, issued_cents = t.cents
       FROM (SELECT count(*)::int AS receipts, coalesce(sum(amount_cents), 0)::bigint AS cents
               FROM tax_receipts WHERE organization_id = $1 AND annual_run_id = $2) t
      WHERE r.organization_id = $1 AND r.id = $2`,
    [currentOrganization(), runId],
  );

async function stopForLostRight(runId: string): Promise<void> {
  await changeRow(AnnualReceiptRun, { id: runId, status: 'running' }, { status: STOPPED_RIGHT_LOST, ended_at: now });
  await audit({
    action: `annual_receipt_run.${STOPPED_RIGHT_LOST}`,
    subjectType: 'annual_receipt_run',
    subjectId: runId,
  });
}

/**
 * Completes a run whose donors are all done. Repeated, it changes nothing.
 * @returns the run's final status
 * @throws RowMissing
 */
export async function completeAnnualReceipts(runId: string): Promise<AnnualRunStatus> {
  const running = { id: runId, status: 'running' } as const;
  const run =
    (await changeRow(AnnualReceiptRun, running, { status: 'issued', ended_at: now })) ??
    (await findRow(AnnualReceiptRun, runId));
  if (!run) throw new RowMissing('There is no such run of annual receipts.');
  return run.status;
}

/** Cancels a run. Issued receipts stay. Repeated, it changes nothing. */
export async function cancelAnnualReceipts(runId: string): Promise<void> {
  await changeRow(AnnualReceiptRun, { id: runId, status: 'running' }, { status: 'cancelled', ended_at: now });
}

/**
 * Cancels a run unless its workflow is just issuing a page, which holds the lock of the row. Then this function changes
 * nothing, and the workflow, which also gets the cancellation, ends the run after that page.
 */
export async function tryCancelAnnualReceipts(runId: string): Promise<void> {
  await rows(
    `UPDATE annual_receipt_runs SET status = 'cancelled', ended_at = now()
      WHERE id = (SELECT id FROM annual_receipt_runs
                   WHERE organization_id = $1 AND id = $2 AND status = 'running' FOR NO KEY UPDATE SKIP LOCKED)`,
    [currentOrganization(), runId],
  );
}
