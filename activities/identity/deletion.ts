/** The steps of deleting an account. Each finds out by itself what is left to do, so that a second run changes nothing. */
import { inPlatform, inTenant } from '../../models/database/tenancy.js';
import {
  beginErasure as begin,
  deletionOf,
  farewellIsClosed as isClosed,
  secondsToErasure as secondsLeft,
} from '../../models/identity/deletion/beginErasure.js';
import { eraseInOrganization, organizationsOf } from '../../models/identity/deletion/eraseInOrganization.js';
import { erasePerson as erase } from '../../models/identity/deletion/erasePerson.js';
import type { DeleteAccountInput } from '../../workflows/contracts/deleteAccount.js';

/** Organizations of one run of the step. */
const PAGE = 50;

/** 0 when it is time, or no longer wanted. */
export const secondsToErasure = ({ deletionId }: DeleteAccountInput): Promise<number> =>
  inPlatform(() => secondsLeft(deletionId));

/** Closes the account for good, if the person still wants that and nobody needs them as the last admin. */
export const beginErasure = ({ deletionId }: DeleteAccountInput): Promise<'begun' | 'cancelled' | 'refused'> =>
  inPlatform(() => begin(deletionId));

/**
 * Goes through the next organizations, each in its own transaction.
 * @param after where the step before ended; null at the beginning
 * @returns where this one ended; null when there are no more
 */
export const eraseInOrganizations = async (
  { deletionId }: DeleteAccountInput,
  after: string | null,
): Promise<string | null> => {
  const { user_id: userId } = await inPlatform(() => deletionOf(deletionId));
  const ids = await inPlatform(() => organizationsOf(userId, after, PAGE));
  for (const id of ids) await inTenant(id, () => eraseInOrganization(userId));
  return ids.length < PAGE ? null : (ids.at(-1) ?? null);
};

/** Whether the mail that says goodbye needs the address no more. */
export const farewellIsClosed = ({ deletionId }: DeleteAccountInput): Promise<boolean> =>
  inPlatform(() => isClosed(deletionId));

export const erasePerson = ({ deletionId }: DeleteAccountInput): Promise<void> => inPlatform(() => erase(deletionId));
