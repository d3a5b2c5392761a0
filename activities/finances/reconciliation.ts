/**
 * Steps that compare a provider account with the books. Each step continues where the last one ended. A second run
 * gives the same result for a charge.
 */
import {
  ChargeRefused,
  type ChargeDispute,
  isRefusal,
  OutcomeUnknown,
  type PaymentPort,
} from '../../gateways/payments/port.js';
import { paymentPort } from '../../gateways/payments/processors.js';
import { isTransient } from '../../models/database/constraints.js';
import { inTenant } from '../../models/database/tenancy.js';
import { loadProcessorAccess } from '../../models/finances/attempts/processorAccess.js';
import { RefundsChanged } from '../../models/finances/captures/refundCapture.js';
import { chargesToCompare } from '../../models/finances/reconciliation/chargesToCompare.js';
import { endReconciliation, recordProgress } from '../../models/finances/reconciliation/endReconciliation.js';
import { syncChargeCases } from '../../models/finances/reconciliation/judgeCharge.js';
import { beginRun, saveMovements, refuseRun, type Run } from '../../models/finances/reconciliation/saveMovements.js';
import {
  type ProcessorPage,
  processorsToReconcile,
} from '../../models/finances/reconciliation/processorsToReconcile.js';
import {
  type ComparedCharge,
  readCharge,
  applyReportedCharge,
  applyReportedDisputes,
  applyReportedRefunds,
} from '../../models/finances/reconciliation/applyReported.js';
import { log } from '../../models/log.js';
import type { ReconciliationInput } from '../../workflows/contracts/reconciliation.js';
import { previousAttempts } from '../attempts.js';
import { heldByDisputes, marksOf, readMovementBatch } from './readMovements.js';
import { summarizeRefunds, nullIfRefused } from './summarizeRefunds.js';

/**
 * Batch sizes of one step. They are small, so that a lost worker loses little work and the workflow's history stays
 * short.
 */
const MOVEMENTS_PER_STEP = 20_000;
const CHARGES_PER_STEP = 50;
/**
 * Number of attempts in which a movement is tried again because the refunds of its charge changed in the meantime.
 * After them, the difference is treated as permanent.
 */
const ATTEMPTS_FOR_CHANGES = 3;

export type Progress = 'more' | 'done' | 'refused';

/** Lists provider accounts, after the cursor `after`, with the period of today's run. */
export const listProcessorsToReconcile = (after: string | null): Promise<ProcessorPage> => processorsToReconcile(after);

/** Stores the next batch of movements that the provider lists. */
export const listNextMovements = (input: ReconciliationInput): Promise<Progress> =>
  endIfRefused(input, async (run, port) => {
    if (run.status !== 'listing') return 'done';
    let { cursor } = run;
    for (let stored = 0; stored < MOVEMENTS_PER_STEP; ) {
      const { movements, next } = await readMovementBatch(port, input.organizationId, run, cursor);
      await inTenant(input.organizationId, () => saveMovements(run.id, input.processorId, movements, next));
      if (next === null) return 'done';
      cursor = next;
      stored += movements.length;
    }
    return 'more';
  });

/** Reads the next differing charges from the provider, records unreported movements, and compares the remainder. */
export const compareNextCharges = (input: ReconciliationInput): Promise<Progress> =>
  endIfRefused(input, async (run, port) => {
    if (run.status !== 'comparing') return 'done';
    const { organizationId } = input;
    const charges = await inTenant(organizationId, () => chargesToCompare(run.id, CHARGES_PER_STEP), {
      readOnly: true,
    });
    for (const intentId of charges) {
      await compare(input, run, port, intentId, previousAttempts());
      await inTenant(organizationId, () => recordProgress(run.id, intentId));
    }
    if (charges.length === CHARGES_PER_STEP) return 'more';
    await inTenant(organizationId, () => endReconciliation(run.id));
    return 'done';
  });

/**
 * Runs a step. If the provider rejects the key or cannot list movements, the run ends; the next day's run tries again.
 */
async function endIfRefused(
  input: ReconciliationInput,
  step: (run: Run, port: PaymentPort) => Promise<Progress>,
): Promise<Progress> {
  const { organizationId, processorId } = input;
  const { run, access } = await inTenant(organizationId, async () => ({
    run: await beginRun(input),
    access: await loadProcessorAccess(processorId),
  }));
  try {
    return await step(run, paymentPort(access));
  } catch (error) {
    if (!(error instanceof ChargeRefused)) throw error;
    await inTenant(organizationId, () => refuseRun(run.id));
    return 'refused';
  }
}

/**
 * Compares a charge. A movement during the comparison looks like a difference, so a difference counts only when it is
 * found twice.
 */
async function compare(
  input: ReconciliationInput,
  run: Run,
  port: PaymentPort,
  intentId: string,
  earlierAttempts: number,
): Promise<void> {
  const isSettled = await compareOnce(input, run, port, intentId, earlierAttempts, false);
  if (!isSettled) await compareOnce(input, run, port, intentId, earlierAttempts, true);
}

/**
 * Compares a charge once.
 * @returns false if it must be compared a second time
 */
async function compareOnce(
  { organizationId, processorId }: ReconciliationInput,
  run: Run,
  port: PaymentPort,
  intentId: string,
  earlierAttempts: number,
  mayOpen: boolean,
): Promise<boolean> {
  const read = () => inTenant(organizationId, () => readCharge(processorId, intentId), { readOnly: true });
  const recordIfPossible = <T>(step: () => Promise<T>) =>
    nullIfImpossible(intentId, earlierAttempts, () => inTenant(organizationId, step));
  let charge = await read();
  if (!charge || charge.isInFlight) return true;
  const { askedAt } = charge;
  const state = await port.readCharge(intentId).catch(nullIfRefused);
  if (state?.status === 'processing') return true;
  const capturedCents = state?.status === 'captured' ? state.capturedCents : 0;
  const disputes = capturedCents > 0 ? await port.readDisputes(intentId, null) : [];
  let isOurs = true;
  if (capturedCents > 0 && charge.version === null) {
    const marked = withMarks(charge, disputes, organizationId);
    isOurs = (await recordIfPossible(() => applyReportedCharge(marked, capturedCents))) ?? true;
    charge = (await read()) ?? charge;
  }
  const refunds = capturedCents > 0 ? await port.readRefunds(intentId).catch(nullIfRefused) : null;
  const reported = {
    capturedCents,
    refundedCents: summarizeRefunds(refunds, null)?.refundedCents ?? 0,
    heldCents: heldByDisputes(disputes),
  };
  const recorded = charge;
  const refundTotals = summarizeRefunds(refunds, recorded.version);
  if (recorded.version !== null && refundTotals && refundTotals.refundedCents !== recorded.refundedCents)
    await recordIfPossible(() => applyReportedRefunds(recorded, refundTotals));
  if (recorded.version !== null && disputes.length > 0)
    await recordIfPossible(() => applyReportedDisputes(recorded, { askedAt, disputes }));
  const judged = { id: run.id, processorId, mayOpen };
  return inTenant(organizationId, () => syncChargeCases(judged, intentId, reported, isOurs));
}

/**
 * Adds our ids to a charge whose listed movements have none, for example if only a dispute was listed. The ids are
 * taken from the dispute as read from the provider, because a dispute carries the ids of its charge.
 */
function withMarks(charge: ComparedCharge, disputes: ChargeDispute[], organizationId: string): ComparedCharge {
  if (charge.isMarked) return charge;
  return { ...charge, marks: marksOf(disputes[0]?.reference ?? {}, organizationId) };
}

/**
 * Runs `step`, which records a movement. Throws errors that a retry may resolve. Returns null if the movement can never
 * be recorded; the movement then stays a difference.
 */
async function nullIfImpossible<T>(
  intentId: string,
  earlierAttempts: number,
  step: () => Promise<T>,
): Promise<T | null> {
  try {
    return await step();
  } catch (error) {
    const mayPass = isTransient(error) || error instanceof OutcomeUnknown || isRefusal(error);
    if (mayPass || (error instanceof RefundsChanged && earlierAttempts < ATTEMPTS_FOR_CHANGES)) throw error;
    log.warn({ err: error, intentId }, 'a movement could not be recorded; it becomes a reconciliation case');
    return null;
  }
}
