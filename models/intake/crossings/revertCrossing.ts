import { audit } from '../../database/audit.js';
import { changeRow, lockForEdit } from '../../database/model/change.js';
import { loadRow, readRow, type ShownRow } from '../../database/model/read.js';
import { currentOrganization, firstRow } from '../../database/rows.js';
import { enqueue } from '../../database/outbox.js';
import { requireFound } from '../../errors.js';
import { hasInvoices } from '../../finances/hasInvoices.js';
import { changeMembership, lockMembershipExclusive } from '../../organizations/changeMembership.js';
import { organizationsErrors } from '../../organizations/errors.js';
import { cross } from '../../../workflows/contracts/index.js';
import { intakeErrors } from '../errors.js';
import { Crossing } from './Crossing.js';

/** Reads the latest crossing of a membership. @throws Refusal not_found */
export async function readCrossingOf(membershipId: string): Promise<ShownRow<typeof Crossing>> {
  const last = await firstRow<{ id: string }>(
    'SELECT id FROM crossings WHERE organization_id = $1 AND membership_id = $2 ORDER BY id DESC LIMIT 1',
    [currentOrganization(), membershipId],
  );
  return readRow(Crossing, requireFound(last).id);
}

async function lockCrossing(id: string) {
  const { membership_id } = await loadRow(Crossing, id);
  // Locks the membership exclusively, so that no invoice for the member can be created during this transaction.
  const membership = await lockMembershipExclusive(membership_id);
  return { membership, crossing: await lockForEdit(Crossing, id) };
}

/**
 * Reverts a crossing that was a mistake, within seven days and only while nothing has been invoiced. The person becomes
 * a prospective member in progress again and loses access from the next request on. Values that the crossing copied to
 * the member's record stay there.
 * @throws Refusal not_found, crossing_reverted, revert_too_late, transition_not_allowed if the member has left,
 * crossing_invoiced
 */
export async function revertCrossing(id: string, reason: string | undefined): Promise<ShownRow<typeof Crossing>> {
  const { membership, crossing } = await lockCrossing(id);
  if (crossing.reverted_at) throw intakeErrors.crossing_reverted();
  const { revertible_until } = await readRow(Crossing, id);
  if (revertible_until === null || Date.parse(revertible_until) < Date.now())
    throw organizationsErrors.revert_too_late('A crossing can be reverted only within seven days.');
  if (membership.status === 'inactive' || membership.status === 'disaffiliated')
    throw organizationsErrors.transition_not_allowed(
      `A crossing cannot be reverted while the membership is ${membership.status}.`,
    );
  if (await hasInvoices(membership.id)) throw intakeErrors.crossing_invoiced();
  await changeMembership(membership, { status: 'pnm' }, { authority: null, source: 'crossing_reverted', reason });
  await audit({ action: 'crossing.reverted', subjectType: 'crossing', subjectId: id });
  return readRow(Crossing, id);
}

/** Resumes the remaining steps of a cancelled crossing. @throws Refusal not_found, crossing_not_paused */
export async function resumeCrossing(id: string): Promise<ShownRow<typeof Crossing>> {
  const { crossing } = await lockCrossing(id);
  if (!crossing.cancelled_at || crossing.welcomed_at || crossing.reverted_at) throw intakeErrors.crossing_not_paused();
  await changeRow(Crossing, id, { cancelled_at: null });
  await enqueue(cross, { crossingId: id });
  await audit({ action: 'crossing.resumed', subjectType: 'crossing', subjectId: id });
  return readRow(Crossing, id);
}
