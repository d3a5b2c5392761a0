import { audit } from '../../database/audit.js';
import { changeRow, lockRow } from '../../database/model/change.js';
import { loadRow, readRow, type ShownRow } from '../../database/model/read.js';
import { currentOrganization, firstRow } from '../../database/rows.js';
import { enqueue } from '../../database/outbox.js';
import { found } from '../../errors.js';
import { hasInvoices } from '../../finances/hasInvoices.js';
import { changeMembership, holdMembership } from '../../organizations/changeMembership.js';
import { organizationsErrors } from '../../organizations/errors.js';
import { cross } from '../../../workflows/contracts/index.js';
import { intakeErrors } from '../errors.js';
import { Crossing } from './Crossing.js';

/** The last crossing of a membership. @throws Refusal not_found */
export async function readCrossingOf(membershipId: string): Promise<ShownRow<typeof Crossing>> {
  const last = await firstRow<{ id: string }>(
    'SELECT id FROM crossings WHERE organization_id = $1 AND membership_id = $2 ORDER BY id DESC LIMIT 1',
    [currentOrganization(), membershipId],
  );
  return readRow(Crossing, found(last).id);
}

async function lockCrossing(id: string) {
  const { membership_id } = await loadRow(Crossing, id);
  // No invoice comes in between.
  const membership = await holdMembership(membership_id);
  return { membership, crossing: await lockRow(Crossing, id) };
}

/**
 * Takes a mistake back, within seven days and for as long as nothing was billed: a prospective member again, in progress, and
 * without access from the next request on. What was carried stays.
 * @throws Refusal not_found, crossing_reverted, revert_too_late, transition_not_allowed of who has left, crossing_invoiced
 */
export async function revertCrossing(id: string, reason: string | undefined): Promise<ShownRow<typeof Crossing>> {
  const { membership, crossing } = await lockCrossing(id);
  if (crossing.reverted_at) throw intakeErrors.crossing_reverted();
  const { revertible_until } = await readRow(Crossing, id);
  if (revertible_until === null || Date.parse(revertible_until) < Date.now())
    throw organizationsErrors.revert_too_late('A crossing is taken back within seven days.');
  if (membership.status === 'inactive' || membership.status === 'disaffiliated')
    throw organizationsErrors.transition_not_allowed(`This membership is ${membership.status} by now.`);
  if (await hasInvoices(membership.id)) throw intakeErrors.crossing_invoiced();
  await changeMembership(membership, { status: 'pnm' }, { hand: null, source: 'crossing_reverted', reason });
  await audit({ action: 'crossing.reverted', subjectType: 'crossing', subjectId: id });
  return readRow(Crossing, id);
}

/** Goes on with what a cancelled process has left undone. @throws Refusal not_found, crossing_not_paused */
export async function resumeCrossing(id: string): Promise<ShownRow<typeof Crossing>> {
  const { crossing } = await lockCrossing(id);
  if (!crossing.cancelled_at || crossing.welcomed_at || crossing.reverted_at) throw intakeErrors.crossing_not_paused();
  await changeRow(Crossing, id, { cancelled_at: null });
  await enqueue(cross, { crossingId: id });
  await audit({ action: 'crossing.resumed', subjectType: 'crossing', subjectId: id });
  return readRow(Crossing, id);
}
