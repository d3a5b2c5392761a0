import { randomInt } from 'node:crypto';
import { ProviderFailure } from '../../../gateways/accounts/port.js';
import { atProvider } from '../../../gateways/accounts/providers.js';
import type { Origin } from '../../../models/database/connection.js';
import { inTenant } from '../../../models/database/tenancy.js';
import { intakeErrors } from '../../../models/intake/errors.js';
import type { Opened } from '../../../models/intake/provisioning/config.js';
import { notePassword, releasePassword } from '../../../models/intake/provisioning/records.js';
import type { Provider } from '../../../models/intake/provisioning/vocabulary.js';

interface Place {
  organizationId: string;
  recordId: string;
  accountId: string;
  opened: Opened | null;
}

/** Without what is read as something else: 0 and O, 1, l and I. */
const LETTERS = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const LENGTH = 20;

/** Of letters and digits, in fives; about 115 bits. Each kind is in it, as providers want. */
function newPassword(): string {
  const letters = Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('');
  const made = letters.replace(/.{5}(?=.)/g, '$&-');
  return /[a-z]/.test(made) && /[A-Z]/.test(made) && /\d/.test(made) ? made : newPassword();
}

/** Sets a password for an account that was claimed. @throws Refusal provider_unavailable */
export async function setOwnPassword(place: Place, provider: Provider | null, origin: Origin): Promise<string> {
  const { organizationId, recordId, accountId, opened } = place;
  const write = (work: () => Promise<unknown>) => inTenant(organizationId, work, { origin });
  const password = newPassword();
  try {
    if (opened?.settings.provider !== provider || !opened) throw intakeErrors.provider_unavailable();
    await atProvider(opened.settings, (at) => at.setPassword(accountId, password));
  } catch (error) {
    await write(() => releasePassword(recordId));
    throw error instanceof ProviderFailure ? intakeErrors.provider_unavailable() : error;
  }
  await write(() => notePassword(recordId));
  return password;
}
