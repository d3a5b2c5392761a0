/** Steps of deleting an account. Each finds its remaining work from the rows, so a second run changes nothing. */
import { inPlatform, inTenant } from '../../models/database/tenancy.js';
import {
  beginErasure as begin,
  readDeletion,
  farewellIsClosed as isClosed,
  secondsToErasure as secondsLeft,
} from '../../models/identity/deletion/beginErasure.js';
import { eraseInOrganization, listOrganizationsOf } from '../../models/identity/deletion/eraseInOrganization.js';
import { erasePerson as erase } from '../../models/identity/deletion/erasePerson.js';
import type { DeleteAccountInput } from '../../workflows/contracts/deleteAccount.js';

/** Organizations per run of the step. */
const BATCH_SIZE = 50;

/** Returns the seconds until the deletion is due; 0 when it is due or was withdrawn. */
export const secondsToErasure = ({ deletionId }: DeleteAccountInput): Promise<number> =>
  inPlatform(() => secondsLeft(deletionId));

/**
 * Closes the account permanently, unless the deletion was withdrawn or the person is the last admin of an organization.
 */
export const beginErasure = ({ deletionId }: DeleteAccountInput): Promise<'begun' | 'cancelled' | 'refused'> =>
  inPlatform(() => begin(deletionId));

/**
 * Erases the person in the next batch of organizations, each in its own transaction. Returns the cursor of the next
 * batch; null after the last.
 */
export const eraseInOrganizations = async (
  { deletionId }: DeleteAccountInput,
  after: string | null,
): Promise<string | null> => {
  const { user_id: userId } = await inPlatform(() => readDeletion(deletionId));
  const ids = await inPlatform(() => listOrganizationsOf(userId, after, BATCH_SIZE));
  for (const id of ids) await inTenant(id, () => eraseInOrganization(userId));
  return ids.length < BATCH_SIZE ? null : (ids.at(-1) ?? null);
};

/** Reports whether the farewell mail was sent or given up, so that its address can be erased. */
export const farewellIsClosed = ({ deletionId }: DeleteAccountInput): Promise<boolean> =>
  inPlatform(() => isClosed(deletionId));

export const erasePerson = ({ deletionId }: DeleteAccountInput): Promise<void> => inPlatform(() => erase(deletionId));
