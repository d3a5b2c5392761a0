import { randomInt } from 'node:crypto';
import { ProviderFailure } from '../../../gateways/accounts/port.js';
import { withProvider } from '../../../gateways/accounts/providers.js';
import type { Origin } from '../../../models/database/connection.js';
import { inTenant } from '../../../models/database/tenancy.js';
import { intakeErrors } from '../../../models/intake/errors.js';
import type { DecryptedConfig } from '../../../models/intake/provisioning/config.js';
import { recordPassword, releasePasswordClaim } from '../../../models/intake/provisioning/records.js';
import type { Provider } from '../../../models/intake/provisioning/vocabulary.js';

interface PasswordTarget {
  organizationId: string;
  recordId: string;
  accountId: string;
  opened: DecryptedConfig | null;
}

/** Letters and digits, without characters that look alike: 0 and O; 1, l and I. */
const LETTERS = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const LENGTH = 20;

/**
 * Returns a random password of letters and digits in groups of five, about 115 bits. It contains each kind of
 * character, as providers require.
 */
function newPassword(): string {
  const letters = Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('');
  const password = letters.replace(/.{5}(?=.)/g, '$&-');
  return /[a-z]/.test(password) && /[A-Z]/.test(password) && /\d/.test(password) ? password : newPassword();
}

/** Sets a first password for a claimed account. @throws Refusal provider_unavailable */
export async function setOwnPassword(
  target: PasswordTarget,
  provider: Provider | null,
  origin: Origin,
): Promise<string> {
  const { organizationId, recordId, accountId, opened } = target;
  const write = (work: () => Promise<unknown>) => inTenant(organizationId, work, { origin });
  const password = newPassword();
  try {
    if (opened?.settings.provider !== provider || !opened) throw intakeErrors.provider_unavailable();
    await withProvider(opened.settings, (at) => at.setPassword(accountId, password));
  } catch (error) {
    await write(() => releasePasswordClaim(recordId));
    throw error instanceof ProviderFailure ? intakeErrors.provider_unavailable() : error;
  }
  await write(() => recordPassword(recordId));
  return password;
}
