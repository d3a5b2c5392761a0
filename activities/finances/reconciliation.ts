/** The steps of comparing an account with the books. Each goes on where the last one was; run again, a charge is judged as before. */
import {
  ChargeRefused,
  type ChargeDispute,
  isRefusal,
  type Movement,
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
import {
  beginRun,
  keepMovements,
  type KeptMovement,
  refuseRun,
  type Run,
} from '../../models/finances/reconciliation/keepMovements.js';
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
import { heartbeating } from '../heartbeating.js';
import { refundsRead, unlessUnknown } from './refundsRead.js';

/** Pages of the provider that are kept in one statement. */
const PAGES_AT_ONCE = 10;
/** Of one run of a step: few enough that a lost worker costs little, many enough that history stays short. */
const MOVEMENTS_PER_STEP = 20_000;
const CHARGES_PER_STEP = 50;
/** So often it may be that something else has changed at the same moment. */
const PATIENT_TRIES = 3;

export type Progress = 'more' | 'done' | 'refused';

/** The accounts of organizations after `after`, with the period of today's run. */
export const listProcessorsToReconcile = (after: string | null): Promise<ProcessorPage> => processorsToReconcile(after);

/** Keeps the next movements that the provider lists. */
export const listNextMovements = (input: ReconciliationInput): Promise<Progress> =>
  heartbeating(() =>
    unlessRefused(input, async (run, port) => {
      if (run.status !== 'listing') return 'done';
      let { cursor } = run;
      for (let kept = 0; kept < MOVEMENTS_PER_STEP; ) {
        const { movements, next } = await pagesAfter(port, input, cursor);
        await inTenant(input.organizationId, () => keepMovements(run.id, input.processorId, movements, next));
        if (next === null) return 'done';
        cursor = next;
        kept += movements.length;
      }
      return 'more';
    }),
  );

/** Asks the provider about the next charges that differ, takes up what nobody has told, and judges what is left. */
export const compareNextCharges = (input: ReconciliationInput): Promise<Progress> =>
  heartbeating((tries) =>
    unlessRefused(input, async (run, port) => {
      if (run.status !== 'comparing') return 'done';
      const { organizationId } = input;
      const charges = await inTenant(organizationId, () => chargesToCompare(run.id, CHARGES_PER_STEP), {
        readOnly: true,
      });
      for (const intentId of charges) {
        await compare(input, run, port, intentId, tries);
        await inTenant(organizationId, () => rememberCharge(run.id, intentId));
      }
      if (charges.length === CHARGES_PER_STEP) return 'more';
      await inTenant(organizationId, () => endReconciliation(run.id));
      return 'done';
    }),
  );

/** A provider that does not take the key, or cannot say what moved, ends the run: the next day's asks again. */
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

async function pagesAfter(
  port: PaymentPort,
  { organizationId, from, to }: ReconciliationInput,
  after: string | null,
): Promise<{ movements: KeptMovement[]; next: string | null }> {
  const movements: KeptMovement[] = [];
  let next = after;
  for (let pages = 0; pages < PAGES_AT_ONCE; pages += 1) {
    const page = await port.listMovements?.({ from: new Date(from), to: new Date(to) }, next);
    if (!page) throw new ChargeRefused('movements_not_listed', 'This provider does not say what moved.');
    movements.push(...page.movements.map((one) => kept(one, organizationId)));
    next = page.next;
    if (next === null) break;
  }
  return { movements, next };
}

const kept = (movement: Movement, organizationId: string): KeptMovement => ({
  movement_id: movement.movementId,
  kind: movement.kind,
  amount_cents: movement.amountCents,
  fee_cents: movement.feeCents,
  currency: movement.currency,
  moved_at: movement.at,
  intent_id: movement.intentId,
  gateway_refund_id: movement.gatewayRefundId,
  marks: marksOf(movement.reference, organizationId),
});

const OURS = ['processor_id', 'remittance_id', 'invoice_id', 'attempt_id', 'refund_id'];
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Ids of ours alone: an account may do other business, with names and addresses, and that of another organization. */
function marksOf(reference: Record<string, string>, organizationId: string): Record<string, string> {
  if ((reference['organization_id'] ?? organizationId) !== organizationId) return {};
  return Object.fromEntries(Object.entries(reference).filter(([name, id]) => OURS.includes(name) && UUID.test(id)));
}

async function compare(
  { organizationId, processorId }: ReconciliationInput,
  run: Run,
  port: PaymentPort,
  intentId: string,
  tries: number,
): Promise<void> {
  const read = () => inTenant(organizationId, () => readCharge(processorId, intentId), { readOnly: true });
  const take = <T>(step: () => Promise<T>) => unlessImpossible(intentId, tries, () => inTenant(organizationId, step));
  let charge = await read();
  if (!charge || charge.isInFlight) return;
  const state = await port.readCharge(intentId).catch(unlessUnknown);
  if (state?.status === 'processing') return;
  const capturedCents = state?.status === 'captured' ? state.capturedCents : 0;
  const disputes = capturedCents > 0 ? ((await port.readDisputes?.(intentId)) ?? []) : [];
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
  if (known.version !== null && disputes.length > 0)
    await take(() => takeUpDisputes(known, { askedAt: known.askedAt, disputes }));
  await inTenant(organizationId, () => judgeCharge({ id: run.id, processorId }, intentId, reported, isOurs));
}

/** A dispute has no marks of ours: it tells those of its charge. */
function withMarks(charge: ComparedCharge, disputes: ChargeDispute[], organizationId: string): ComparedCharge {
  if (charge.isMarked) return charge;
  return { ...charge, marks: marksOf(disputes[0]?.reference ?? {}, organizationId) };
}

/** What disputes hold of a charge, as our books count it. */
const heldBy = (disputes: ChargeDispute[]): number =>
  disputes.reduce((sum, { movements }) => {
    const held = movements.reduce(
      (cents, { kind, amountCents }) =>
        cents + (kind === 'withdrawn' ? amountCents : kind === 'reinstated' ? -amountCents : 0),
      0,
    );
    return sum + Math.max(0, held);
  }, 0);

/**
 * What cannot be put on record however often it is tried leaves a difference, which is judged. What another try may do is thrown.
 * @returns null for the first
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
