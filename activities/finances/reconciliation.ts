/**
 * Steps that compare a provider account with the books. Each continues where the last one ended; a second run judges
 * a charge as before.
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
import { processorAccess } from '../../models/finances/attempts/processorAccess.js';
import { RefundsChanged } from '../../models/finances/captures/refundCapture.js';
import { chargesToCompare } from '../../models/finances/reconciliation/chargesToCompare.js';
import { endReconciliation, rememberCharge } from '../../models/finances/reconciliation/endReconciliation.js';
import { judgeCharge } from '../../models/finances/reconciliation/judgeCharge.js';
import { beginRun, keepMovements, refuseRun, type Run } from '../../models/finances/reconciliation/keepMovements.js';
import {
  type ProcessorPage,
  processorsToReconcile,
} from '../../models/finances/reconciliation/processorsToReconcile.js';
import {
  type ComparedCharge,
  readCharge,
  takeUpCharge,
  takeUpDisputes,
  takeUpRefunds,
} from '../../models/finances/reconciliation/takeUp.js';
import { log } from '../../models/log.js';
import type { ReconciliationInput } from '../../workflows/contracts/reconciliation.js';
import { triesBefore } from '../tries.js';
import { heldBy, marksOf, pagesAfter } from './movementsRead.js';
import { refundsRead, unlessUnknown } from './refundsRead.js';

/** Batch of one step: a lost worker loses little, and the workflow's history stays short. */
const MOVEMENTS_PER_STEP = 20_000;
const CHARGES_PER_STEP = 50;
/** Tries during which a concurrent change explains the difference. */
const PATIENT_TRIES = 3;

export type Progress = 'more' | 'done' | 'refused';

/** Accounts of organizations after `after`, with the period of today's run. */
export const listProcessorsToReconcile = (after: string | null): Promise<ProcessorPage> => processorsToReconcile(after);

/** Stores the next movements that the provider lists. */
export const listNextMovements = (input: ReconciliationInput): Promise<Progress> =>
  unlessRefused(input, async (run, port) => {
    if (run.status !== 'listing') return 'done';
    let { cursor } = run;
    for (let kept = 0; kept < MOVEMENTS_PER_STEP; ) {
      const { movements, next } = await pagesAfter(port, input.organizationId, run, cursor);
      await inTenant(input.organizationId, () => keepMovements(run.id, input.processorId, movements, next));
      if (next === null) return 'done';
      cursor = next;
      kept += movements.length;
    }
    return 'more';
  });

/** Asks the provider about the next differing charges, records unreported ones, and judges what is left. */
export const compareNextCharges = (input: ReconciliationInput): Promise<Progress> =>
  unlessRefused(input, async (run, port) => {
    if (run.status !== 'comparing') return 'done';
    const { organizationId } = input;
    const charges = await inTenant(organizationId, () => chargesToCompare(run.id, CHARGES_PER_STEP), {
      readOnly: true,
    });
    for (const intentId of charges) {
      await compare(input, run, port, intentId, triesBefore());
      await inTenant(organizationId, () => rememberCharge(run.id, intentId));
    }
    if (charges.length === CHARGES_PER_STEP) return 'more';
    await inTenant(organizationId, () => endReconciliation(run.id));
    return 'done';
  });

/** A provider that rejects the key or cannot list movements ends the run; the next day's run asks again. */
async function unlessRefused(
  input: ReconciliationInput,
  step: (run: Run, port: PaymentPort) => Promise<Progress>,
): Promise<Progress> {
  const { organizationId, processorId } = input;
  const { run, access } = await inTenant(organizationId, async () => ({
    run: await beginRun(input),
    access: await processorAccess(processorId),
  }));
  try {
    return await step(run, paymentPort(access));
  } catch (error) {
    if (!(error instanceof ChargeRefused)) throw error;
    await inTenant(organizationId, () => refuseRun(run.id));
    return 'refused';
  }
}

/** A movement during the comparison looks like a difference: a difference counts when it is found twice. */
async function compare(
  input: ReconciliationInput,
  run: Run,
  port: PaymentPort,
  intentId: string,
  tries: number,
): Promise<void> {
  const agreed = await compareOnce(input, run, port, intentId, tries, false);
  if (!agreed) await compareOnce(input, run, port, intentId, tries, true);
}

/** @returns whether no charge needs a second look */
async function compareOnce(
  { organizationId, processorId }: ReconciliationInput,
  run: Run,
  port: PaymentPort,
  intentId: string,
  tries: number,
  mayOpen: boolean,
): Promise<boolean> {
  const read = () => inTenant(organizationId, () => readCharge(processorId, intentId), { readOnly: true });
  const take = <T>(step: () => Promise<T>) => unlessImpossible(intentId, tries, () => inTenant(organizationId, step));
  let charge = await read();
  if (!charge || charge.isInFlight) return true;
  const { askedAt } = charge;
  const state = await port.readCharge(intentId).catch(unlessUnknown);
  if (state?.status === 'processing') return true;
  const capturedCents = state?.status === 'captured' ? state.capturedCents : 0;
  const disputes = capturedCents > 0 ? await port.readDisputes(intentId, null) : [];
  let isOurs = true;
  if (capturedCents > 0 && charge.version === null) {
    const marked = withMarks(charge, disputes, organizationId);
    isOurs = (await take(() => takeUpCharge(marked, capturedCents))) ?? true;
    charge = (await read()) ?? charge;
  }
  const refunds = capturedCents > 0 ? await port.readRefunds(intentId).catch(unlessUnknown) : null;
  const reported = {
    capturedCents,
    refundedCents: refundsRead(refunds, null)?.refundedCents ?? 0,
    heldCents: heldBy(disputes),
  };
  const known = charge;
  const gone = refundsRead(refunds, known.version);
  if (known.version !== null && gone && gone.refundedCents !== known.refundedCents)
    await take(() => takeUpRefunds(known, gone));
  if (known.version !== null && disputes.length > 0) await take(() => takeUpDisputes(known, { askedAt, disputes }));
  const judged = { id: run.id, processorId, mayOpen };
  return inTenant(organizationId, () => judgeCharge(judged, intentId, reported, isOurs));
}

/** A dispute carries no metadata of ours; it takes that of its charge. */
function withMarks(charge: ComparedCharge, disputes: ChargeDispute[], organizationId: string): ComparedCharge {
  if (charge.isMarked) return charge;
  return { ...charge, marks: marksOf(disputes[0]?.reference ?? {}, organizationId) };
}

/**
 * A charge that can never be recorded stays a difference, which is judged. Errors that a retry may resolve are
 * thrown.
 */
async function unlessImpossible<T>(intentId: string, tries: number, step: () => Promise<T>): Promise<T | null> {
  try {
    return await step();
  } catch (error) {
    const mayPass = isTransient(error) || error instanceof OutcomeUnknown || isRefusal(error);
    if (mayPass || (error instanceof RefundsChanged && tries < PATIENT_TRIES)) throw error;
    log.warn({ err: error, intentId }, 'a movement could not be taken up: it is a case');
    return null;
  }
}
