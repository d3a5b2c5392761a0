/** A password that an admin hands over, and that its person replaces first of all. */
import { randomInt } from 'node:crypto';
import type { Origin } from '../../database/connection.js';
import { inTenant } from '../../database/tenancy.js';
import type { Actor } from '../../identity/Actor.js';
import { inHashSlot } from '../../identity/hashSlots.js';
import { lockPerson } from '../../identity/lockPerson.js';
import { noticePerson } from '../../identity/notices/noticePerson.js';
import { keepGivenPassword } from '../../identity/password/keepGivenPassword.js';
import { hashPassword } from '../../identity/password/passwordHash.js';
import { nameOf, requireOwnMember } from './resetByAdmin.js';

/** Letters and digits that nobody takes for one another, read out or typed. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';
const GROUPS = 4;
const GROUP = 5;

/** 99 bits. */
function newPassword(): string {
  const group = () => Array.from({ length: GROUP }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return Array.from({ length: GROUPS }, group).join('-');
}

/**
 * Ends every session of the account. Until the person has set a password by way of their mailbox, the account counts as
 * given by this organization (`users.password_given_in`): it gets no further addresses, and loses all of its credentials when it
 * comes to belong elsewhere. Opens its own transaction, since no connection may be held while a hash is made;
 * the caller has called `requireOwnMember` in the one before, and here it is asked again.
 * @returns the password, which is kept nowhere, and when it ends, as ISO text
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
      // Locked before it is asked where they belong: nobody adds them elsewhere in between.
      await lockPerson(userId);
      await requireOwnMember(actor, userId);
      // A platform admin's adds no mark of its own, and takes none away: what was set up before it is still there.
      const givenIn = actor.isPlatformAdmin ? null : actor.organizationId;
      const ends = (await keepGivenPassword(userId, passwordHash, givenIn)).toISOString();
      await noticePerson({ userId, kind: 'temporary_password', facts: { administrator: nameOf(actor), until: ends } });
      return ends;
    },
    options,
  );
  return { password, until };
}
