/** Whether both sides say the same of a charge, once what could be taken up is on record: a case where they do not. */
import { createRow, editRow, lockRow } from '../../database/model/change.js';
import { currentOrganization, rows } from '../../database/rows.js';
import { agree } from '../cases/keepCase.js';
import { note } from '../cases/keepUnallocated.js';
import { DIFFERENCES, type Difference, MoneyCase } from '../cases/MoneyCase.js';
import { siblingsOf } from './chargesToCompare.js';
import { type ComparedCharge, readCharge } from './takeUp.js';

/** A charge as the provider itself says, in cents. */
export interface ReportedCharge {
  capturedCents: number;
  /** What goes back or went. */
  refundedCents: number;
  /** What disputes hold. */
  heldCents: number;
}

/** What is left of the charge by either side, in cents. */
interface Found {
  recordedCents: number;
  reportedCents: number;
  /** More than nothing. */
  amountCents: number;
}

/**
 * Opens, follows or closes the cases of a charge.
 * @param run `mayOpen: false` leaves what differs to be asked about once more
 * @param isOurs whether it is any business of ours, where it is not on record
 * @returns false: it differs, and nothing was done
 */
export async function judgeCharge(
  run: { id: string; processorId: string; mayOpen: boolean },
  intentId: string,
  reported: ReportedCharge,
  isOurs: boolean,
): Promise<boolean> {
  const charge = await readCharge(run.processorId, intentId);
  if (!charge || charge.isInFlight) return true;
  const found = differencesOf(charge, reported, isOurs);
  if (!run.mayOpen && Object.keys(found).length > 0) return false;
  const known = await latestCases(run.processorId, intentId);
  for (const kind of DIFFERENCES) await keep(run.id, charge, kind, found[kind], known.get(kind));
  return true;
}

function differencesOf(
  charge: ComparedCharge,
  reported: ReportedCharge,
  isOurs: boolean,
): Partial<Record<Difference, Found>> {
  const isRecorded = charge.version !== null;
  const recordedCents = charge.capturedCents - charge.refundedCents - charge.heldCents;
  const reportedCents = reported.capturedCents - reported.refundedCents - reported.heldCents;
  const gap = (otherwise: number): Found => ({
    recordedCents,
    reportedCents,
    amountCents: Math.abs(recordedCents - reportedCents) || otherwise,
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

interface Known {
  id: string;
  kind: Difference;
  status: MoneyCase['status'];
  resolution: MoneyCase['resolution'];
  recorded_cents: number;
  reported_cents: number;
}

/** The last of each kind, open or closed. */
async function latestCases(processorId: string, intentId: string): Promise<Map<Difference, Known>> {
  const found = await rows<Known>(
    `WITH siblings AS (${siblingsOf('$2')})
     SELECT DISTINCT ON (kind) id, kind, status, resolution, recorded_cents, reported_cents FROM money_cases
      WHERE organization_id = $1 AND gateway_object = $3 AND kind = ANY ($4) AND processor_id IN (SELECT id FROM siblings)
      ORDER BY kind, id DESC`,
    [currentOrganization(), processorId, intentId, [...DIFFERENCES]],
  );
  return new Map(found.map((one) => [one.kind, one]));
}

async function keep(
  runId: string,
  charge: ComparedCharge,
  kind: Difference,
  found: Found | undefined,
  known: Known | undefined,
): Promise<void> {
  const open = known?.status === 'open' ? await lockRow(MoneyCase, known.id) : null;
  if (open?.status === 'open') return found ? follow(open, found) : agree(open);
  if (!found || (known && wasDecided(known, found))) return;
  const opened = await createRow(MoneyCase, {
    kind,
    processor_id: charge.processorId,
    gateway_object: charge.intentId,
    amount_cents: found.amountCents,
    recorded_cents: found.recordedCents,
    reported_cents: found.reportedCents,
    moved_at: charge.movedAt,
  });
  await note(opened, 'opened');
  await rows('UPDATE reconciliations SET cases_opened = cases_opened + 1 WHERE id = $1', [runId]);
}

/** What somebody has decided on stays decided while both sides say the same as then. */
const wasDecided = ({ resolution, recorded_cents, reported_cents }: Known, found: Found): boolean =>
  resolution !== 'agreed' && recorded_cents === found.recordedCents && reported_cents === found.reportedCents;

async function follow(open: MoneyCase, { amountCents, recordedCents, reportedCents }: Found): Promise<void> {
  const changed = await editRow(open, {
    amount_cents: amountCents,
    recorded_cents: recordedCents,
    reported_cents: reportedCents,
  });
  if (changed.length > 0) await note(open, 'changed');
}
