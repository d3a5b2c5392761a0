/**
 * Compares a charge in the books with the provider's report. Facts that the books lacked were recorded before; if the
 * two still differ, a case is opened.
 */
import { createRow, editRow, lockForEdit } from '../../database/model/change.js';
import { currentOrganization, rows } from '../../database/rows.js';
import { closeAsAgreed } from '../cases/syncCases.js';
import { auditCase } from '../cases/syncUnallocatedCase.js';
import { DIFFERENCES, type Difference, MoneyCase } from '../cases/MoneyCase.js';
import { sameAccountProcessors } from './chargesToCompare.js';
import { type ComparedCharge, readCharge } from './applyReported.js';

/** A charge as the provider reports it, in cents. */
export interface ReportedCharge {
  capturedCents: number;
  /** Total of pending and succeeded refunds. */
  refundedCents: number;
  /** Amount that disputes withhold. */
  heldCents: number;
}

/** A difference between the books and the provider: what remains of the charge according to each, in cents. */
interface ChargeDifference {
  recordedCents: number;
  reportedCents: number;
  /** The difference between the two amounts in cents, always greater than 0. */
  amountCents: number;
}

/**
 * Opens, updates or closes the cases of a charge.
 * @param run with `mayOpen: false` a difference opens no case, and the charge is checked again later
 * @param isOurs whether a charge that is not recorded belongs to this organization's invoices
 * @returns false when there is a difference and `mayOpen` is false, so that nothing was done
 */
export async function syncChargeCases(
  run: { id: string; processorId: string; mayOpen: boolean },
  intentId: string,
  reported: ReportedCharge,
  isOurs: boolean,
): Promise<boolean> {
  const charge = await readCharge(run.processorId, intentId);
  if (!charge || charge.isInFlight) return true;
  const differences = findDifferences(charge, reported, isOurs);
  if (!run.mayOpen && Object.keys(differences).length > 0) return false;
  const latest = await findLatestCases(run.processorId, intentId);
  for (const kind of DIFFERENCES) await syncCase(run.id, charge, kind, differences[kind], latest.get(kind));
  return true;
}

function findDifferences(
  charge: ComparedCharge,
  reported: ReportedCharge,
  isOurs: boolean,
): Partial<Record<Difference, ChargeDifference>> {
  const isRecorded = charge.version !== null;
  const recordedCents = charge.capturedCents - charge.refundedCents - charge.heldCents;
  const reportedCents = reported.capturedCents - reported.refundedCents - reported.heldCents;
  const gap = (fallbackCents: number): ChargeDifference => ({
    recordedCents,
    reportedCents,
    amountCents: Math.abs(recordedCents - reportedCents) || fallbackCents,
  });
  const other =
    charge.otherCents !== 0 && (isRecorded || charge.isMarked)
      ? { other: { recordedCents: 0, reportedCents: charge.otherCents, amountCents: Math.abs(charge.otherCents) } }
      : {};
  if (!isRecorded)
    return isOurs && reported.capturedCents > 0
      ? { captured_not_recorded: gap(reported.capturedCents), ...other }
      : other;
  if (reported.capturedCents === 0) return { recorded_not_captured: gap(charge.capturedCents), ...other };
  const gaps = [
    charge.capturedCents - reported.capturedCents,
    charge.refundedCents - Math.min(charge.capturedCents, reported.refundedCents),
    charge.heldCents - reported.heldCents,
  ].map(Math.abs);
  return gaps.some((cents) => cents > 0) ? { amount_differs: gap(Math.max(...gaps)), ...other } : other;
}

interface LatestCase {
  id: string;
  kind: Difference;
  status: MoneyCase['status'];
  resolution: MoneyCase['resolution'];
  recorded_cents: number;
  reported_cents: number;
}

/** Finds the latest case of each kind for the charge, open or closed. */
async function findLatestCases(processorId: string, intentId: string): Promise<Map<Difference, LatestCase>> {
  const cases = await rows<LatestCase>(
    `WITH siblings AS (${sameAccountProcessors('$2')})
     SELECT DISTINCT ON (kind) id, kind, status, resolution, recorded_cents, reported_cents FROM money_cases
      WHERE organization_id = $1 AND gateway_object = $3 AND kind = ANY ($4) AND processor_id IN (SELECT id FROM siblings)
      ORDER BY kind, id DESC`,
    [currentOrganization(), processorId, intentId, [...DIFFERENCES]],
  );
  return new Map(cases.map((row) => [row.kind, row]));
}

async function syncCase(
  runId: string,
  charge: ComparedCharge,
  kind: Difference,
  difference: ChargeDifference | undefined,
  latest: LatestCase | undefined,
): Promise<void> {
  const open = latest?.status === 'open' ? await lockForEdit(MoneyCase, latest.id) : null;
  if (open?.status === 'open') return difference ? updateCase(open, difference) : closeAsAgreed(open);
  if (!difference || (latest && isStillDecided(latest, difference))) return;
  const opened = await createRow(MoneyCase, {
    kind,
    processor_id: charge.processorId,
    gateway_object: charge.intentId,
    amount_cents: difference.amountCents,
    recorded_cents: difference.recordedCents,
    reported_cents: difference.reportedCents,
    moved_at: charge.movedAt,
  });
  await auditCase(opened, 'opened');
  await rows('UPDATE reconciliations SET cases_opened = cases_opened + 1 WHERE id = $1', [runId]);
}

/**
 * Reports whether an administrator's decision on the latest case is still valid: the amounts in the books and at the
 * provider are still those of that case.
 */
const isStillDecided = (
  { resolution, recorded_cents, reported_cents }: LatestCase,
  difference: ChargeDifference,
): boolean =>
  resolution !== 'agreed' && recorded_cents === difference.recordedCents && reported_cents === difference.reportedCents;

async function updateCase(
  open: MoneyCase,
  { amountCents, recordedCents, reportedCents }: ChargeDifference,
): Promise<void> {
  const changed = await editRow(open, {
    amount_cents: amountCents,
    recorded_cents: recordedCents,
    reported_cents: reportedCents,
  });
  if (changed.length > 0) await auditCase(open, 'changed');
}
