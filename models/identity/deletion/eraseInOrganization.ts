/** What becomes of a person in one organization when their account is deleted: each area does its own part. */
import { audit, forgetInLog } from '../../database/audit.js';
import { firstRow, rows } from '../../database/rows.js';
import { aboveIdentity } from '../above.js';
import { verifiedAddresses } from '../emails/addresses.js';

/** The next by id of the organizations that the person has to do with, suspended ones too. */
export async function organizationsOf(userId: string, after: string | null, limit: number): Promise<string[]> {
  const found = await rows<{ id: string }>(
    `SELECT id FROM app.organizations_of($1, $2) AS id WHERE $3::uuid IS NULL OR id > $3 ORDER BY id LIMIT $4`,
    [userId, await provenAddresses(userId), after, limit],
  );
  return found.map(({ id }) => id);
}

/** A second run finds nothing to do. @throws Refusal last_admin when the organization would be left without one */
export async function eraseInOrganization(userId: string): Promise<void> {
  const proven = await provenAddresses(userId);
  let changed = 0;
  const after = {};
  for (const erasure of aboveIdentity().erasures) {
    const done = await erasure.inOrganization?.(userId, proven);
    changed += done?.changed ?? 0;
    Object.assign(after, done?.told);
  }
  // Last, since what was done here is in the log, too.
  await forgetInLog(userId);
  if (changed > 0) await audit({ action: 'account.deleted', subjectType: 'user', subjectId: userId, after });
}

/** The addresses by which things were asked in their name. None where somebody else gave the password: the mailbox may be another person's. */
export async function provenAddresses(userId: string): Promise<string[]> {
  const given = await firstRow('SELECT FROM users WHERE id = $1 AND password_given_in IS NOT NULL', [userId]);
  return given ? [] : verifiedAddresses(userId);
}
