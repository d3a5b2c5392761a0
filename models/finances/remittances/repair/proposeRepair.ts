/**
 * Proposes how to use the money of a flagged remittance, with reasons. The proposal has a hash, by which a client can
 * confirm exactly this proposal.
 */
import { firstJson } from '../../../database/rows.js';
import { sign } from '../../../database/signatures.js';
import { requireFound } from '../../../errors.js';
import type { AllocationInput } from '../allocations.js';
import { remittanceErrors } from '../errors.js';
import { REMITTANCE_STATE, type RemittanceStatus } from '../remittance.js';
import { type OpenInvoice, type Placement, placeMoney, type UnpaidAllocation } from './placeMoney.js';

interface RepairFacts {
  status: RemittanceStatus;
  waiting_cents: number;
  refunding_cents: number;
  shares: UnpaidAllocation[];
  members: string[];
  open: (OpenInvoice & { payer_name: string })[];
  replacements: { invoice: string; replacement: string }[];
}

export interface RepairProposal {
  /**
   * Captured amount that has paid no invoice and is not in a pending refund. It equals the placed amount plus the
   * unplaced amount.
   */
  waiting_cents: number;
  placed_cents: number;
  unplaced_cents: number;
  /** Amount in pending refunds. */
  refunding_cents: number;
  changes: (Placement & { payer_name: string })[];
  /** The allocations to send to the `resolve` operation, one per invoice. */
  allocations: AllocationInput[];
  proposal_hash: string;
}

/** SQL of the oldest flagged charge of remittance `r`. */
const OLDEST_FLAGGED_CAPTURE = `(SELECT c.id FROM processor_captures c WHERE c.organization_id = r.organization_id AND c.remittance_id = r.id
  AND c.disposition = 'flagged' ORDER BY c.id LIMIT 1)`;

const FACTS = `
  WITH RECURSIVE shares AS (
    SELECT a.id, a.invoice_id AS invoice, i.membership_id AS membership, a.amount_cents, a.payment_record_id IS NOT NULL AS is_paid, i.status
      FROM chapter_remittance_allocations a
      JOIN chapter_invoices i ON i.organization_id = a.organization_id AND i.id = a.invoice_id
     WHERE a.organization_id = (SELECT app.org_id()) AND a.remittance_id = $1),
  reissued AS (
    SELECT invoice, invoice AS replacement FROM shares WHERE NOT is_paid AND status = 'void'
    UNION ALL SELECT n.invoice, i.id FROM reissued n
      JOIN chapter_invoices i ON i.organization_id = (SELECT app.org_id()) AND i.replaces = n.replacement)
  SELECT state.status, coalesce(app.uncredited_of_remittance(r.organization_id, r.id), 0) AS waiting_cents,
         coalesce((SELECT sum(g.amount_cents) FROM capture_resolutions g WHERE g.organization_id = r.organization_id
           AND g.capture_id = ${OLDEST_FLAGGED_CAPTURE} AND g.status = 'pending'), 0)::bigint AS refunding_cents,
         (SELECT coalesce(json_agg(json_build_object('invoice', invoice, 'membership', membership, 'amount_cents', amount_cents) ORDER BY id), '[]')
            FROM shares WHERE NOT is_paid) AS shares,
         (SELECT coalesce(json_agg(DISTINCT membership), '[]') FROM shares) AS members,
         (SELECT coalesce(json_agg(json_build_object('invoice', invoice, 'replacement', replacement)), '[]') FROM reissued) AS replacements,
         (SELECT coalesce(json_agg(json_build_object('id', i.id, 'membership', i.membership_id, 'due_date', i.due_date,
                   'balance_cents', i.balance_due_cents, 'payer_name', coalesce(i.payer_name, u.first_name || ' ' || u.last_name))), '[]')
            FROM chapter_invoices i
            JOIN memberships m ON m.organization_id = i.organization_id AND m.id = i.membership_id JOIN users u ON u.id = m.user_id
           WHERE i.organization_id = r.organization_id AND i.chapter_id = r.chapter_id AND i.status IN ('open', 'overdue', 'partially_paid')
             AND i.balance_due_cents > 0
             AND NOT EXISTS (SELECT FROM chapter_remittance_allocations a WHERE a.organization_id = i.organization_id
                   AND a.invoice_id = i.id AND a.reserved_by_attempt_id IS NOT NULL)
             AND NOT EXISTS (SELECT FROM shares p WHERE p.invoice = i.id AND p.is_paid)) AS open
    FROM chapter_remittances r CROSS JOIN LATERAL ${REMITTANCE_STATE}
   WHERE r.organization_id = (SELECT app.org_id()) AND r.id = $1`;

/**
 * Proposes where the uncredited money may go, in one statement; writes nothing.
 * @throws Refusal not_found, remittance_not_flagged
 */
export async function proposeRepair(remittanceId: string): Promise<RepairProposal> {
  const facts = requireFound(await firstJson<RepairFacts>(FACTS, [remittanceId]));
  if (facts.status !== 'needs_reconciliation') throw remittanceErrors.remittance_not_flagged();
  const { refunding_cents, shares, open } = facts;
  // The provider may already have made the pending refund, so that it is already deducted from the waiting amount.
  // Deducting it again can give a negative number, which counts as 0.
  const waiting_cents = Math.max(0, facts.waiting_cents - refunding_cents);
  const { placements, unplaced_cents } = placeMoney({
    waitingCents: waiting_cents,
    shares,
    open,
    replacements: new Map(facts.replacements.map(({ invoice, replacement }) => [invoice, replacement])),
    members: new Set(facts.members),
  });
  const hashed = JSON.stringify([remittanceId, waiting_cents, refunding_cents, placements]);
  const names = new Map(open.map(({ id, payer_name }) => [id, payer_name]));
  return {
    waiting_cents,
    placed_cents: waiting_cents - unplaced_cents,
    unplaced_cents,
    refunding_cents,
    changes: placements.map((placement) => ({ ...placement, payer_name: names.get(placement.invoice) as string })),
    allocations: sumByInvoice(placements),
    // The hash is keyed (signed). With a plain hash, a reader without access to amounts could find them by trying
    // amounts until the hash matches.
    proposal_hash: sign('repair-proposal', hashed).toString('hex'),
  };
}

function sumByInvoice(placements: readonly Placement[]): AllocationInput[] {
  const sums = new Map<string, number>();
  for (const { invoice, amount_cents } of placements) sums.set(invoice, (sums.get(invoice) ?? 0) + amount_cents);
  return [...sums].map(([invoice, amount_cents]) => ({ invoice, amount_cents }));
}

/**
 * Computes the proposal again and checks its hash. @throws Refusal not_found, remittance_not_flagged, proposal_stale
 */
export async function requireProposal(remittanceId: string, proposalHash: string): Promise<RepairProposal> {
  const proposal = await proposeRepair(remittanceId);
  if (proposal.proposal_hash !== proposalHash) throw remittanceErrors.proposal_stale();
  return proposal;
}
