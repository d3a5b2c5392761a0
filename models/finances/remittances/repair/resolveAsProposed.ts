import { found } from '../../../errors.js';
import { lockInvoices } from '../allocations.js';
import { remittanceErrors } from '../errors.js';
import { lockRemittance } from '../remittance.js';
import { resolveRemittance } from '../resolveRemittance.js';
import { proposeRepair, requireProposal } from './proposeRepair.js';

/**
 * Places the money that waits exactly as it was proposed.
 * @throws Refusal not_found, remittance_not_flagged, remittance_in_progress, proposal_stale, money_unplaced
 */
export async function resolveAsProposed(
  remittanceId: string,
  proposalHash: string,
  note: string,
  userId: string,
): Promise<void> {
  const { chapter_id } = found(await lockRemittance(remittanceId));
  // Held before it is worked out once more: nobody pays them meanwhile.
  await lockInvoices(chapter_id, (await proposeRepair(remittanceId)).allocations);
  const { allocations, unplaced_cents } = await requireProposal(remittanceId, proposalHash);
  if (unplaced_cents > 0) throw remittanceErrors.money_unplaced();
  await resolveRemittance(remittanceId, allocations, note, userId);
}
