/** Creates platform admins, among them the first person of a deployment. */
import { createRow } from '../database/model/change.js';
import { firstRow } from '../database/rows.js';
import { inPlatform } from '../database/tenancy.js';
import { normalizeEmail, USER_ID_BY_EMAIL } from './accounts.js';
import { inHashSlot } from './hashSlots.js';
import { hashPassword } from './password/passwordHash.js';
import { requireGoodPassword } from './password/passwordRules.js';
import { User } from './User.js';

export interface NewPlatformAdmin {
  email: string;
  firstName: string;
  lastName: string;
  password: string;
  mustChangePassword: boolean;
}

/**
 * Creates the account. An account that exists becomes a platform admin and keeps its name and password.
 * @throws Refusal validation_error for a password that is too weak
 */
export async function createPlatformAdmin(admin: NewPlatformAdmin): Promise<{ userId: string; created: boolean }> {
  const email = normalizeEmail(admin.email);
  const promoted = await inPlatform(() =>
    firstRow<{ id: string }>(`UPDATE users SET is_platform_admin = true WHERE id = ${USER_ID_BY_EMAIL} RETURNING id`, [
      email,
    ]),
  );
  if (promoted) return { userId: promoted.id, created: false };
  const { firstName: first_name, lastName: last_name, password } = admin;
  await requireGoodPassword(password, { email, first_name, last_name }, 'password');
  const passwordHash = await inHashSlot(() => hashPassword(password));
  const { id } = await inPlatform(() =>
    createRow(User, {
      email,
      first_name,
      last_name,
      password_hash: passwordHash,
      must_change_password: admin.mustChangePassword,
      is_platform_admin: true,
    }),
  );
  return { userId: id, created: true };
}
