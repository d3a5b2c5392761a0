/** Signs a person in with address and password. */
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

export interface LoginRequest {
  email: string;
  password: string;
  /** Id or slug of the requested organization. */
  organization: string | null;
  device: Device;
  origin: Origin;
}

export interface LoginResult {
  account: Account;
  /** The organization in which the session acts; null for platform admins. */
  organization: AccountOrganization | null;
  tokens: SessionTokens;
}

/**
 * Signs a person in. An unknown address, a wrong password, and an account that is disabled, has no password or has no
 * access are all refused in the same way and after the same work: one look-up, one counted attempt, one argon2id
 * verification, and, if there is an account, one statement that records the refusal.
 * @throws Refusal invalid_credentials, too_many_failures; organization_forbidden and temporary_password_expired only
 * after the password was found right
 */
export async function logIn({ email, password, organization, device, origin }: LoginRequest): Promise<LoginResult> {
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
  const chosen = requireOrganization(account, organization);
  const beginSession = () =>
    startSession({
      userId: account.id,
      organizationId: chosen?.id ?? null,
      device,
      passwordHash: account.password_hash as string,
    });
  const tokens = await inTenantIfAny(chosen?.id ?? null, beginSession, { origin: { ...origin, userId: account.id } });
  if (!tokens) throw identityErrors.invalid_credentials();
  return { account, organization: chosen, tokens };
}

/**
 * Returns the organization that the session will act in.
 * @throws Refusal organization_forbidden when the requested organization does not exist or the person may not sign in
 * to it
 */
export function requireOrganization(
  { is_platform_admin, organization }: AccountAtLogin,
  requested: string | null,
): AccountOrganization | null {
  if (requested !== null && !organization) throw refuse.organization_forbidden();
  return is_platform_admin ? null : organization;
}
