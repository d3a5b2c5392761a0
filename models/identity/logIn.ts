/** Sign-in with address and password. */
import type { Origin } from '../database/connection.js';
import { inPlatform, inTenantIfAny } from '../database/tenancy.js';
import { refuse } from '../errors.js';
import {
  type Account,
  type AccountAtLogin,
  type AccountOrganization,
  findAccountAtLogin,
  normalizeEmail,
} from './accounts.js';
import { identityErrors } from './errors.js';
import { returnAttempt, takeAttempt } from './failureBudget.js';
import { inHashSlot } from './hashSlots.js';
import { verifyPassword } from './password/passwordHash.js';
import { recordRefusedSignIn } from './recordRefusedSignIn.js';
import { type Device, startSession } from './startSession.js';
import type { SessionTokens } from './tokens.js';

export interface Login {
  email: string;
  password: string;
  /** Id or slug. */
  organization: string | null;
  device: Device;
  origin: Origin;
}

export interface LoggedIn {
  account: Account;
  /** null for platform admins. */
  organization: AccountOrganization | null;
  tokens: SessionTokens;
}

/**
 * Unknown, wrong, disabled, without a password, without access: all are the same refusal after the same work, one
 * look-up, one counted attempt, one argon2id verification and one statement that writes it down for the account that is there.
 * @throws Refusal invalid_credentials, too_many_failures; organization_forbidden and temporary_password_expired once
 * the password is proven
 */
export async function logIn({ email, password, organization, device, origin }: Login): Promise<LoggedIn> {
  const address = normalizeEmail(email);
  const account = await inPlatform(() => findAccountAtLogin(address, organization?.toLowerCase() ?? null), {
    readOnly: true,
  });
  const attempt = { account: account?.id ?? address, ipAddress: device.ipAddress };
  const proven = await inHashSlot(async () => {
    await takeAttempt(attempt);
    return verifyPassword(password, account?.password_hash ?? null);
  });
  if (!account || !proven || account.disabled || !account.has_access) {
    await recordRefusedSignIn(account, { method: 'password', proven, device, origin });
    throw identityErrors.invalid_credentials();
  }
  await returnAttempt(attempt);
  if (account.password_has_ended) {
    await recordRefusedSignIn(account, { method: 'password', proven, device, origin });
    throw identityErrors.temporary_password_expired();
  }
  const chosen = chosenOrganization(account, organization);
  const begin = () =>
    startSession({
      userId: account.id,
      organizationId: chosen?.id ?? null,
      device,
      passwordHash: account.password_hash as string,
    });
  const tokens = await inTenantIfAny(chosen?.id ?? null, begin, { origin: { ...origin, userId: account.id } });
  if (!tokens) throw identityErrors.invalid_credentials();
  return { account, organization: chosen, tokens };
}

/** @throws Refusal organization_forbidden for one that does not let this person in, or does not exist */
export function chosenOrganization(
  { is_platform_admin, organization }: AccountAtLogin,
  asked: string | null,
): AccountOrganization | null {
  if (asked !== null && !organization) throw refuse.organization_forbidden();
  return is_platform_admin ? null : organization;
}
