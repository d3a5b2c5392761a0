/** Erases a person in one organization when their account is deleted. Each area erases its own data. */
import { audit, eraseAuditValues } from '../../database/audit.js';
import { firstRow, rows } from '../../database/rows.js';
import { identityUpstream } from '../upstream.js';
import { verifiedAddresses } from '../emails/addresses.js';

/** Returns the next organizations, by id, that the person is connected with, including suspended ones. */
export async function listOrganizationsOf(userId: string, after: string | null, limit: number): Promise<string[]> {
  const organizations = await rows<{ id: string }>(
    `SELECT id FROM app.organizations_of($1, $2) AS id WHERE $3::uuid IS NULL OR id > $3 ORDER BY id LIMIT $4`,
    [userId, await provenAddresses(userId), after, limit],
  );
  return organizations.map(({ id }) => id);
}

/**
 * Erases the person in the open tenant. A second run changes nothing.
 * @throws Refusal last_admin when the organization would be left without an admin
 */
export async function eraseInOrganization(userId: string): Promise<void> {
  const proven = await provenAddresses(userId);
  let changed = 0;
  const auditDetails = {};
  for (const erasure of identityUpstream().erasures) {
    const result = await erasure.inOrganization?.(userId, proven);
    changed += result?.changed ?? 0;
    Object.assign(auditDetails, result?.auditDetails);
  }
  // Audit values are erased last, because the steps before also write to the audit log.
  await eraseAuditValues(userId);
  if (changed > 0)
    await audit({ action: 'account.deleted', subjectType: 'user', subjectId: userId, after: auditDetails });
}

/**
 * Returns the person's verified addresses, by which other areas find data that the person left before having an
 * account. Empty if an admin set the password: then it is not proven that the mailboxes belong to this person.
 */
export async function provenAddresses(userId: string): Promise<string[]> {
  const hasGivenPassword = await firstRow('SELECT FROM users WHERE id = $1 AND password_given_in IS NOT NULL', [
    userId,
  ]);
  return hasGivenPassword ? [] : verifiedAddresses(userId);
}
