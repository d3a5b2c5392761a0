/** What a provider says of the disputes of a charge, on record. */
import { audit } from '../../database/audit.js';
import { loadIfThere, readRow } from '../../database/model/read.js';
import { currentOrganization, oneRow, rows } from '../../database/rows.js';
import { notify } from '../../notifications/notify.js';
import { resolveNotifications } from '../../notifications/resolve.js';
import { holdCapture } from '../captures/bringTo.js';
import { refundCapture, type RefundsRead } from '../captures/refundCapture.js';
import { told } from '../notifications.js';
import { chargeDisputes } from './chargeDisputes.js';
import { PaymentDispute } from './PaymentDispute.js';

/** A dispute of a charge, and the money that moved for it, as the provider has it. */
export interface ToldDispute {
  gatewayDisputeId: string;
  /** Marks of the charge. */
  reference: Record<string, string>;
  amountCents: number;
  currency: string;
  reason: string;
  decision: 'none' | 'won' | 'lost';
  evidenceDueAt: Date | null;
  openedAt: Date;
  movements: { kind: 'withdrawn' | 'reinstated' | 'fee'; amountCents: number; movementId: string; at: Date }[];
  /** Cents that it holds by now and since when it may be so, of a provider that tells no movements. */
  held?: { cents: number; since: Date };
}

export interface DisputesRead {
  /** When asking began, by the database's clock: what was asked later is newer. */
  askedAt: string;
  disputes: ToldDispute[];
}

/**
 * Notes the disputes of a charge and charges their money to whom it belongs. Each movement counts once, whoever tells of it and
 * whenever; of two answers the one that was asked for later is believed. Where a provider says only what is held by now, what moved since
 * the answer before is the difference.
 * @param refunds of the charge, read after them: money that was told as a refund before, and is a dispute's, is here again first
 * @throws RefundsChanged
 * @returns false where the charge is not on record
 */
export async function recordDisputes(
  processorId: string,
  intentId: string,
  { askedAt, disputes }: DisputesRead,
  refunds: RefundsRead | null = null,
): Promise<boolean> {
  const capture = await holdCapture(processorId, intentId);
  if (!capture) return false;
  if (refunds && refunds.refundedCents < capture.refunded_cents - capture.disputed_cents)
    await refundCapture(processorId, intentId, refunds);
  for (const dispute of disputes) {
    const { id, status: before, isNewest } = await keep(capture.id, dispute, askedAt);
    for (const movement of dispute.movements) await add(id, movement);
    if (dispute.held && isNewest) await addDifference(id, dispute.held);
    await tell(id, before);
  }
  await chargeDisputes(processorId, intentId);
  return true;
}

/** @returns its status until now, null where it is new; and whether no later answer is on record */
async function keep(captureId: string, told: ToldDispute, askedAt: string) {
  const known = await loadIfThere(PaymentDispute, {
    capture_id: captureId,
    gateway_dispute_id: told.gatewayDisputeId,
  });
  if (known) {
    const newest = await rows(
      `UPDATE payment_disputes SET decision = $2, evidence_due_at = $3, read_at = $4 WHERE id = $1 AND read_at < $4 RETURNING id`,
      [known.id, told.decision, told.evidenceDueAt, askedAt],
    );
    return { id: known.id, status: known.status, isNewest: newest.length > 0 };
  }
  const { id } = await oneRow<{ id: string }>(
    `INSERT INTO payment_disputes (organization_id, capture_id, gateway_dispute_id, amount_cents, currency, reason, decision,
        evidence_due_at, read_at, opened_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) RETURNING id`,
    [
      currentOrganization(),
      captureId,
      told.gatewayDisputeId,
      told.amountCents,
      told.currency,
      told.reason.slice(0, 100),
      told.decision,
      told.evidenceDueAt,
      askedAt,
      told.openedAt,
    ],
  );
  return { id, status: null, isNewest: true };
}

const add = (disputeId: string, { kind, amountCents, movementId, at }: ToldDispute['movements'][number]) =>
  rows(
    `INSERT INTO payment_dispute_movements (organization_id, dispute_id, kind, amount_cents, gateway_movement_id, moved_at)
     VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT ON CONSTRAINT dispute_movements_once DO NOTHING`,
    [currentOrganization(), disputeId, kind, amountCents, movementId, at],
  );

/** What moved between the answer before and this one: whoever asks holds the charge, so that nobody else counts it. */
async function addDifference(disputeId: string, { cents, since }: NonNullable<ToldDispute['held']>): Promise<void> {
  const { gateway_dispute_id, held, moved } = await oneRow<{ gateway_dispute_id: string; held: number; moved: number }>(
    `SELECT d.gateway_dispute_id, d.withdrawn_cents - d.reinstated_cents AS held,
            (SELECT count(*)::int FROM payment_dispute_movements m
              WHERE m.organization_id = d.organization_id AND m.dispute_id = d.id) AS moved
       FROM payment_disputes d WHERE d.organization_id = $1 AND d.id = $2`,
    [currentOrganization(), disputeId],
  );
  if (cents === held) return;
  const kind = cents > held ? 'withdrawn' : 'reinstated';
  const movementId = `${gateway_dispute_id.slice(0, 190)}:${moved + 1}`;
  await add(disputeId, { kind, amountCents: Math.abs(cents - held), movementId, at: since });
}

/** Of the opening and of each decision, once. */
async function tell(disputeId: string, before: string | null): Promise<void> {
  const { status, amount_cents, withdrawn_cents, reinstated_cents } = await readRow(PaymentDispute, disputeId);
  if (status === before) return;
  await audit({
    action: before === null ? 'dispute.opened' : `dispute.${status}`,
    subjectType: 'dispute',
    subjectId: disputeId,
    ...(before !== null && { before: { status: before } }),
    after: { status, amount_cents, withdrawn_cents, reinstated_cents },
  });
  if (before === null) await notify(told.dispute_opened, [disputeId], { actor: null });
  if (status === 'open') return;
  await resolveNotifications('dispute', disputeId);
  const cause = `${told.dispute_decided.cause}:${status}:${withdrawn_cents}:${reinstated_cents}`;
  await notify(told.dispute_decided, [disputeId], { cause, actor: null });
}
