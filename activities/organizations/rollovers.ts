import { inTenant } from '../../models/database/tenancy.js';
import * as ending from '../../models/organizations/rollovers/endRollover.js';
import { moveNextMembers } from '../../models/organizations/rollovers/moveNextMembers.js';
import { completeRevert, returnNextMembers } from '../../models/organizations/rollovers/returnNextMembers.js';
import { readActors } from '../../models/organizations/rollovers/readActors.js';
import type { RolloverStatus } from '../../models/organizations/rollovers/Rollover.js';
import type { RolloverInput } from '../../workflows/contracts/rollOver.js';

/** Runs `work` on behalf of the person who confirmed the rollover or requested its revert. */
async function onBehalfOf<T>(
  role: 'started_by' | 'reverted_by',
  { organizationId, rolloverId }: RolloverInput,
  work: () => Promise<T>,
): Promise<T> {
  const actors = await inTenant(organizationId, () => readActors(rolloverId), { readOnly: true });
  const origin = { userId: actors?.[role] ?? null, requestId: null, ipAddress: null };
  return inTenant(organizationId, work, { origin });
}

/**
 * Moves one batch of members in one transaction.
 * @returns whether there may be more
 */
export const moveMembers = (input: RolloverInput): Promise<boolean> =>
  onBehalfOf('started_by', input, () => moveNextMembers(input.rolloverId));

/**
 * Completes the rollover.
 * @returns its final status; the rollover may have been cancelled, or stopped because the person who confirmed it has
 * lost the right to confirm it
 */
export const finishRollover = ({ organizationId, rolloverId }: RolloverInput): Promise<RolloverStatus> =>
  inTenant(organizationId, () => ending.completeRollover(rolloverId));

/** Closes a cancelled rollover. Members already moved stay moved. */
export const cancelRollover = ({ organizationId, rolloverId }: RolloverInput): Promise<void> =>
  inTenant(organizationId, () => ending.cancelRollover(rolloverId));

/**
 * Restores the previous status of one batch of members in one transaction.
 * @returns whether there may be more
 */
export const returnMembers = (input: RolloverInput): Promise<boolean> =>
  onBehalfOf('reverted_by', input, () => returnNextMembers(input.rolloverId));

/**
 * Completes the revert.
 * @returns its final status; the revert stops if the person who requested it has lost the right to revert rollovers
 */
export const finishRevert = ({ organizationId, rolloverId }: RolloverInput): Promise<RolloverStatus> =>
  inTenant(organizationId, () => completeRevert(rolloverId));
