import { decrypt } from '../../database/encryption.js';
import { oneRow } from '../../database/rows.js';

/** What opens an account: its secret, and whatever else its provider wants. */
export interface Credentials {
  readonly secret_key: string;
  readonly [name: string]: string;
}

/** Opens a processor's account for one call. Never logged, and in no input of a process. */
export interface ProcessorAccess {
  provider: string;
  credentials: Credentials;
}

export async function processorAccess(processorId: string): Promise<ProcessorAccess> {
  const row = await oneRow<{ provider: string; secret_key_encrypted: string }>(
    'SELECT provider, secret_key_encrypted FROM org_payment_processors WHERE id = $1',
    [processorId],
  );
  return openAccess(processorId, row.provider, row.secret_key_encrypted);
}

/** A processor's sealed credentials, opened. */
export const openAccess = (processorId: string, provider: string, sealed: string): ProcessorAccess => ({
  provider,
  credentials: readCredentials(
    decrypt(sealed, { table: 'org_payment_processors', column: 'secret_key_encrypted', rowId: processorId }),
  ),
});

/** What is sealed: a secret key that is all there is as it stands, as the releases before read it, else all of it as JSON. */
export const writeCredentials = (credentials: Credentials): string =>
  Object.keys(credentials).length === 1 && !credentials.secret_key.startsWith('{')
    ? credentials.secret_key
    : JSON.stringify(credentials);

export const readCredentials = (text: string): Credentials =>
  text.startsWith('{') ? (JSON.parse(text) as Credentials) : { secret_key: text };
