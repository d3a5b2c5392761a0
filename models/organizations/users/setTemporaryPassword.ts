/** Sets a temporary password, which an admin hands over and the person has to replace first. */
import { randomInt } from 'node:crypto';
import type { Origin } from '../../database/connection.js';
import { inTenant } from '../../database/tenancy.js';
import type { Actor } from '../../identity/Actor.js';
import { inHashSlot } from '../../identity/hashSlots.js';
import { lockPerson } from '../../identity/lockPerson.js';
import { enqueueNotice } from '../../identity/notices/enqueueNotice.js';
import { storeTemporaryPassword } from '../../identity/password/storeTemporaryPassword.js';
import { hashPassword } from '../../identity/password/passwordHash.js';
import { nameOf, requireOwnMember } from './resetByAdmin.js';

/** Letters and digits that are not confused when they are read out or typed. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';
const GROUP_COUNT = 4;
const GROUP_LENGTH = 5;

/** Returns a random password with 99 bits of entropy. */
function newPassword(): string {
  const group = () => Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return Array.from({ length: GROUP_COUNT }, group).join('-');
}

/**
 * Sets a temporary password and ends every session of the account. Until the person sets a password through their
 * mailbox, the account counts as handed out by this organization (`users.password_given_in`): it can get no further
 * addresses, and loses all its credentials when it joins another organization. Opens its own transaction, so that no
 * connection is held while the password is hashed. The conditions of `requireOwnMember`, which the caller has already
 * checked in an earlier transaction, are checked again here.
 * @returns the password, which is not stored, and its expiry as ISO text
 */
export async function setTemporaryPassword(
  actor: Actor,
  userId: string,
  options: { origin: Origin; afterCommit: (outboxIds: string[]) => void },
): Promise<{ password: string; until: string }> {
  const password = newPassword();
  const passwordHash = await inHashSlot(() => hashPassword(password));
  const until = await inTenant(
    actor.organizationId,
    async () => {
      // Lock the person before reading their organizations, so that they cannot be added to another organization before
      // the password is set.
      await lockPerson(userId);
      await requireOwnMember(actor, userId);
      // A reset by an organization's admin marks the account with that organization. A reset by a platform admin sets
      // no mark and keeps an existing one, because credentials that were set up before this reset still exist.
      const givenIn = actor.isPlatformAdmin ? null : actor.organizationId;
      const expiresAt = (await storeTemporaryPassword(userId, passwordHash, givenIn)).toISOString();
      await enqueueNotice({
        userId,
        kind: 'temporary_password',
        facts: { administrator: nameOf(actor), until: expiresAt },
      });
      return expiresAt;
    },
    options,
  );
  return { password, until };
}
