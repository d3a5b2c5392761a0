import { giveBackPayment } from '../../../../workflows/contracts/index.js';
import { audit } from '../../../database/audit.js';
import { currentScope } from '../../../database/connection.js';
import { createRow } from '../../../database/model/change.js';
import { enqueue } from '../../../database/outbox.js';
import { currentOrganization, oneRow } from '../../../database/rows.js';
import { requireFound } from '../../../errors.js';
import { CaptureResolution } from '../../captures/CaptureResolution.js';
import { remittanceErrors } from '../errors.js';
import { lockRemittance } from '../remittance.js';
import { requireProposal } from './proposeRepair.js';

/**
 * Requests a refund of the part of a flagged charge that no open invoice can take, and starts its workflow. After the
 * refund the rest can be placed as proposed; if nothing remains, the flag is resolved.
 * @returns the refund's id
 * @throws Refusal not_found, remittance_not_flagged, proposal_stale, nothing_unplaced, remittance_in_progress
 */
export async function refundUnplaced(remittanceId: string, proposalHash: string, reason: string): Promise<string> {
  requireFound(await lockRemittance(remittanceId));
  const { unplaced_cents, refunding_cents } = await requireProposal(remittanceId, proposalHash);
  if (refunding_cents > 0) throw remittanceErrors.remittance_in_progress();
  if (unplaced_cents === 0) throw remittanceErrors.nothing_unplaced();
  const capture = await oneRow<{ id: string; intent_id: string }>(
    `SELECT id, intent_id FROM processor_captures WHERE organization_id = $1 AND remittance_id = $2 AND disposition = 'flagged'
      ORDER BY id LIMIT 1 FOR UPDATE`,
    [currentOrganization(), remittanceId],
  );
  const { id: resolutionId } = await createRow(CaptureResolution, {
    capture_id: capture.id,
    resolution: 'refund',
    amount_cents: unplaced_cents,
    status: 'pending',
    note: reason,
    requested_by: currentScope().origin.userId,
  });
  await enqueue(giveBackPayment, { captureId: capture.id, resolutionId });
  await audit({
    action: 'remittance.refund_requested',
    subjectType: 'remittance',
    subjectId: remittanceId,
    after: { processor_payment_id: capture.intent_id, amount_cents: unplaced_cents, reason },
  });
  return resolutionId;
}
