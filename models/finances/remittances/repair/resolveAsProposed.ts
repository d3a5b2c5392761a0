import { requireFound } from '../../../errors.js';
import { lockInvoices } from '../allocations.js';
import { remittanceErrors } from '../errors.js';
import { lockRemittance } from '../remittance.js';
import { resolveRemittance } from '../resolveRemittance.js';
import { proposeRepair, requireProposal } from './proposeRepair.js';

/**
 * Allocates the uncredited money exactly as proposed.
 * @throws Refusal not_found, remittance_not_flagged, remittance_in_progress, proposal_stale, money_unplaced
 */
export async function resolveAsProposed(
  remittanceId: string,
  proposalHash: string,
  note: string,
  userId: string,
): Promise<void> {
  const { chapter_id } = requireFound(await lockRemittance(remittanceId));
  // Lock the invoices before the proposal is computed again, so that they do not change in between.
  await lockInvoices(chapter_id, (await proposeRepair(remittanceId)).allocations);
  const { allocations, unplaced_cents } = await requireProposal(remittanceId, proposalHash);
  if (unplaced_cents > 0) throw remittanceErrors.money_unplaced();
  await resolveRemittance(remittanceId, allocations, note, userId);
}
