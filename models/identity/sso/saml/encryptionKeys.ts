/** Our keys for assertions that are encrypted for us. Inside of `inTenant`; private keys stay sealed. */
import { audit } from '../../../database/audit.js';
import { decrypt, encrypt } from '../../../database/encryption.js';
import { createRow } from '../../../database/model/change.js';
import { currentOrganization, rows } from '../../../database/rows.js';
import { uuidv7 } from '../../../database/uuid.js';
import { lockConnection } from '../connectionRows.js';
import { SamlEncryptionKey } from './SamlEncryptionKey.js';

const place = (rowId: string) => ({ table: 'saml_encryption_keys', column: 'private_key_encrypted', rowId });
const HOLDS = 'organization_id = $1 AND configuration_id = $2 AND (retires_at IS NULL OR retires_at > now())';

/**
 * Puts a key into the metadata; the one before opens what it is used for until its date, and is deleted after that.
 * @param overlapDays how long providers may take to read the metadata again
 * @throws Refusal not_found
 */
export async function changeEncryptionKey(
  configurationId: string,
  keyPair: { privateKey: string; certificate: string },
  overlapDays: number,
): Promise<void> {
  // Of two at once the second retires the first.
  await lockConnection('saml', configurationId);
  await dropRetiredKeys(configurationId);
  const id = uuidv7();
  await rows(
    `UPDATE saml_encryption_keys SET retires_at = now() + $3 * interval '1 day'
      WHERE organization_id = $1 AND configuration_id = $2 AND retires_at IS NULL`,
    [currentOrganization(), configurationId, overlapDays],
  );
  await createRow(SamlEncryptionKey, {
    id,
    configuration_id: configurationId,
    certificate: keyPair.certificate,
    private_key_encrypted: encrypt(keyPair.privateKey, place(id)),
  });
  await audit({
    action: 'saml_configuration.encryption_key_changed',
    subjectType: 'saml_configuration',
    subjectId: configurationId,
    after: { certificate: keyPair.certificate, overlap_days: overlapDays },
  });
}

/** Of one connection; a key that is over opens nothing, deleted or not. */
export const dropRetiredKeys = (configurationId: string): Promise<unknown> =>
  rows(
    `DELETE FROM saml_encryption_keys WHERE organization_id = $1 AND configuration_id = $2 AND retires_at <= now()`,
    [currentOrganization(), configurationId],
  );

/** PEM, the newest first; often none. */
export async function decryptionKeysOf(configurationId: string): Promise<string[]> {
  const found = await rows<{ id: string; sealed: string }>(
    `SELECT id, private_key_encrypted AS sealed FROM saml_encryption_keys WHERE ${HOLDS} ORDER BY id DESC`,
    [currentOrganization(), configurationId],
  );
  return found.map(({ id, sealed }) => decrypt(sealed, place(id)));
}
