/** Records the disputes of a charge as the provider reports them. */
import { audit } from '../../database/audit.js';
import { loadIfExists, readRow } from '../../database/model/read.js';
import { currentOrganization, oneRow, rows } from '../../database/rows.js';
import { notify } from '../../notifications/notify.js';
import { resolveNotifications } from '../../notifications/resolve.js';
import { lockCapture } from '../captures/setRefundedTotal.js';
import { refundCapture, type RefundsRead } from '../captures/refundCapture.js';
import { notifications } from '../notifications.js';
import { financesUpstream } from '../upstream.js';
import { settleDisputes } from './chargeDisputes.js';
import { PaymentDispute } from './PaymentDispute.js';

/** A dispute of a charge with its money movements, as the provider reports it. */
export interface ReportedDispute {
  gatewayDisputeId: string;
  /** Metadata of the charge. */
  reference: Record<string, string>;
  amountCents: number;
  currency: string;
  reason: string;
  decision: 'none' | 'won' | 'lost';
  evidenceDueAt: Date | null;
  openedAt: Date;
  movements: { kind: 'withdrawn' | 'reinstated' | 'fee'; amountCents: number; movementId: string; at: Date }[];
  /**
   * For a provider that reports no movements: the cents that the dispute withholds now, and the time of the last
   * change.
   */
  held?: { cents: number; since: Date };
}

export interface DisputesRead {
  /**
   * Database time at which the platform began to ask the provider. If two responses arrive, the one that was requested
   * later counts as newer.
   */
  askedAt: string;
  disputes: ReportedDispute[];
}

/**
 * Records the disputes of a charge and settles their money. Each movement counts once, in any order of reports; of two
 * responses, the one requested later wins. Some providers report only the withheld total: then the difference from the
 * recorded total is stored as a movement.
 * @param refunds the refunds of the charge, read after the disputes. If the provider now reports money as disputed that
 * it first reported as refunded, the refund is undone first.
 * @throws RefundsChanged
 * @returns false if the charge is not recorded
 */
export async function recordDisputes(
  processorId: string,
  intentId: string,
  { askedAt, disputes }: DisputesRead,
  refunds: RefundsRead | null = null,
): Promise<boolean> {
  const capture = await lockCapture(processorId, intentId);
  if (!capture) return false;
  if (refunds && refunds.refundedCents < capture.refunded_cents - capture.disputed_cents)
    await refundCapture(processorId, intentId, refunds);
  for (const dispute of disputes) {
    const { id, status: before, isNewest } = await saveDispute(capture.id, dispute, askedAt);
    for (const movement of dispute.movements) await insertMovement(id, movement);
    if (dispute.held && isNewest) await addDifference(id, dispute.held);
    await reportStatus(id, before);
    if (before === null && capture.donation_id)
      await financesUpstream().donationDisputed({ donationId: capture.donation_id });
  }
  await settleDisputes(processorId, intentId);
  return true;
}

/**
 * Inserts or updates a dispute.
 * @returns its previous status (null for a new dispute), and whether this report is the newest
 */
async function saveDispute(captureId: string, reported: ReportedDispute, askedAt: string) {
  const existing = await loadIfExists(PaymentDispute, {
    capture_id: captureId,
    gateway_dispute_id: reported.gatewayDisputeId,
  });
  if (existing) {
    const updated = await rows(
      `UPDATE payment_disputes SET decision = $2, evidence_due_at = $3, read_at = $4 WHERE id = $1 AND read_at < $4 RETURNING id`,
      [existing.id, reported.decision, reported.evidenceDueAt, askedAt],
    );
    return { id: existing.id, status: existing.status, isNewest: updated.length > 0 };
  }
  const { id } = await oneRow<{ id: string }>(
    `INSERT INTO payment_disputes (organization_id, capture_id, gateway_dispute_id, amount_cents, currency, reason, decision,
        evidence_due_at, read_at, opened_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) RETURNING id`,
    [
      currentOrganization(),
      captureId,
      reported.gatewayDisputeId,
      reported.amountCents,
      reported.currency,
      reported.reason.slice(0, 100),
      reported.decision,
      reported.evidenceDueAt,
      askedAt,
      reported.openedAt,
    ],
  );
  return { id, status: null, isNewest: true };
}

const insertMovement = (
  disputeId: string,
  { kind, amountCents, movementId, at }: ReportedDispute['movements'][number],
) =>
  rows(
    `INSERT INTO payment_dispute_movements (organization_id, dispute_id, kind, amount_cents, gateway_movement_id, moved_at)
     VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT ON CONSTRAINT dispute_movements_once DO NOTHING`,
    [currentOrganization(), disputeId, kind, amountCents, movementId, at],
  );

/**
 * Stores a movement for the difference between the withheld total that the provider reports and the total in the books.
 * The caller has locked the charge, so that the difference is counted once.
 */
async function addDifference(disputeId: string, { cents, since }: NonNullable<ReportedDispute['held']>): Promise<void> {
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
  await insertMovement(disputeId, { kind, amountCents: Math.abs(cents - held), movementId, at: since });
}

/** Audits and notifies the opening and each decision of a dispute, once. */
async function reportStatus(disputeId: string, before: string | null): Promise<void> {
  const { status, amount_cents, withdrawn_cents, reinstated_cents } = await readRow(PaymentDispute, disputeId);
  if (status === before) return;
  await audit({
    action: before === null ? 'dispute.opened' : `dispute.${status}`,
    subjectType: 'dispute',
    subjectId: disputeId,
    ...(before !== null && { before: { status: before } }),
    after: { status, amount_cents, withdrawn_cents, reinstated_cents },
  });
  if (before === null) await notify(notifications.dispute_opened, [disputeId], { actor: null });
  if (status === 'open') return;
  await resolveNotifications('dispute', disputeId);
  const cause = `${notifications.dispute_decided.cause}:${status}:${withdrawn_cents}:${reinstated_cents}`;
  await notify(notifications.dispute_decided, [disputeId], { cause, actor: null });
}
