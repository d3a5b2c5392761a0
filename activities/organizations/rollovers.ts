import { inTenant } from '../../models/database/tenancy.js';
import * as ending from '../../models/organizations/rollovers/endRollover.js';
import { moveNextMembers } from '../../models/organizations/rollovers/moveNextMembers.js';
import { completeRevert, returnNextMembers } from '../../models/organizations/rollovers/returnNextMembers.js';
import { actorsOf } from '../../models/organizations/rollovers/actorsOf.js';
import type { RolloverStatus } from '../../models/organizations/rollovers/Rollover.js';
import type { RolloverInput } from '../../workflows/contracts/rollOver.js';

/** Runs work in the name of the person who confirmed the rollover or requested its revert. */
async function inTheNameOf<T>(
  who: 'started_by' | 'reverted_by',
  { organizationId, rolloverId }: RolloverInput,
  work: () => Promise<T>,
): Promise<T> {
  const actors = await inTenant(organizationId, () => actorsOf(rolloverId), { readOnly: true });
  const origin = { userId: actors?.[who] ?? null, requestId: null, ipAddress: null };
  return inTenant(organizationId, work, { origin });
}

/** Moves one batch of members in one transaction. @returns whether there may be more */
export const moveMembers = (input: RolloverInput): Promise<boolean> =>
  inTheNameOf('started_by', input, () => moveNextMembers(input.rolloverId));

/** Ends the run. @returns how it ended; it may have been cancelled, or stopped because the person who confirmed it lost the right */
export const finishRollover = ({ organizationId, rolloverId }: RolloverInput): Promise<RolloverStatus> =>
  inTenant(organizationId, () => ending.completeRollover(rolloverId));

/** Ends a cancelled run; moved members stay moved. */
export const cancelRollover = ({ organizationId, rolloverId }: RolloverInput): Promise<void> =>
  inTenant(organizationId, () => ending.cancelRollover(rolloverId));

/** Restores the previous status of one batch of members, in one transaction. @returns whether there may be more */
export const returnMembers = (input: RolloverInput): Promise<boolean> =>
  inTheNameOf('reverted_by', input, () => returnNextMembers(input.rolloverId));

/** Ends the revert. @returns how it has ended: it stops when the person who asked for it has lost the right */
export const finishRevert = ({ organizationId, rolloverId }: RolloverInput): Promise<RolloverStatus> =>
  inTenant(organizationId, () => completeRevert(rolloverId));
