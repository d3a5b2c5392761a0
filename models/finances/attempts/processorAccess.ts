import { decrypt } from '../../database/encryption.js';
import { oneRow } from '../../database/rows.js';

/** Credentials of a processor account: its secret key, and other values that its provider needs. */
export interface Credentials {
  readonly secret_key: string;
  readonly [name: string]: string;
}

/** Decrypted access to a processor's account for one call. It is never logged and never part of a workflow's input. */
export interface ProcessorAccess {
  provider: string;
  credentials: Credentials;
}

export async function loadProcessorAccess(processorId: string): Promise<ProcessorAccess> {
  const row = await oneRow<{ provider: string; secret_key_encrypted: string }>(
    'SELECT provider, secret_key_encrypted FROM org_payment_processors WHERE id = $1',
    [processorId],
  );
  return openAccess(processorId, row.provider, row.secret_key_encrypted);
}

/** Decrypts a processor's credentials. */
export const openAccess = (processorId: string, provider: string, encrypted: string): ProcessorAccess => ({
  provider,
  credentials: parseCredentials(
    decrypt(encrypted, { table: 'org_payment_processors', column: 'secret_key_encrypted', rowId: processorId }),
  ),
});

/**
 * Serializes credentials for encryption: as plain text if there is only a secret key (the format of earlier releases),
 * otherwise as JSON.
 */
export const serializeCredentials = (credentials: Credentials): string =>
  Object.keys(credentials).length === 1 && !credentials.secret_key.startsWith('{')
    ? credentials.secret_key
    : JSON.stringify(credentials);

export const parseCredentials = (text: string): Credentials =>
  text.startsWith('{') ? (JSON.parse(text) as Credentials) : { secret_key: text };
