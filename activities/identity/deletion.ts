/** Steps of deleting an account. Each finds its remaining work from the rows, so a second run changes nothing. */
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

/** Organizations per run of the step. */
const PAGE = 50;

/** 0 when the deletion is due or was withdrawn. */
export const secondsToErasure = ({ deletionId }: DeleteAccountInput): Promise<number> =>
  inPlatform(() => secondsLeft(deletionId));

/** Closes the account for good, if the deletion still stands and the person is no organization's last admin. */
export const beginErasure = ({ deletionId }: DeleteAccountInput): Promise<'begun' | 'cancelled' | 'refused'> =>
  inPlatform(() => begin(deletionId));

/** Erases the person in the next organizations, each in its own transaction. */
export const eraseInOrganizations = async (
  { deletionId }: DeleteAccountInput,
  after: string | null,
): Promise<string | null> => {
  const { user_id: userId } = await inPlatform(() => deletionOf(deletionId));
  const ids = await inPlatform(() => organizationsOf(userId, after, PAGE));
  for (const id of ids) await inTenant(id, () => eraseInOrganization(userId));
  return ids.length < PAGE ? null : (ids.at(-1) ?? null);
};

/** Whether the farewell mail no longer needs the address. */
export const farewellIsClosed = ({ deletionId }: DeleteAccountInput): Promise<boolean> =>
  inPlatform(() => isClosed(deletionId));

export const erasePerson = ({ deletionId }: DeleteAccountInput): Promise<void> => inPlatform(() => erase(deletionId));
