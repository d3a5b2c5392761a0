/** Our keys for encrypted assertions. Call these functions inside `inTenant`. Private keys are stored encrypted. */
import { audit } from '../../../database/audit.js';
import { decrypt, encrypt } from '../../../database/encryption.js';
import { createRow } from '../../../database/model/change.js';
import { currentOrganization, rows } from '../../../database/rows.js';
import { uuidv7 } from '../../../database/uuid.js';
import { lockConnection } from '../connectionRows.js';
import { SamlEncryptionKey } from './SamlEncryptionKey.js';

const encryptionContext = (rowId: string) => ({
  table: 'saml_encryption_keys',
  column: 'private_key_encrypted',
  rowId,
});
const IS_VALID = 'organization_id = $1 AND configuration_id = $2 AND (retires_at IS NULL OR retires_at > now())';

/**
 * Adds a key, which replaces the current one in the metadata. The previous key still decrypts until its retirement
 * date, and is deleted later.
 * @param overlapDays for how many days the previous key stays valid, because providers must first read the new metadata
 * @throws Refusal not_found
 */
export async function changeEncryptionKey(
  configurationId: string,
  keyPair: { privateKey: string; certificate: string },
  overlapDays: number,
): Promise<void> {
  // The lock serializes two concurrent calls, so that the second one retires the key that the first one added.
  await lockConnection('saml', configurationId);
  await deleteRetiredKeys(configurationId);
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
    private_key_encrypted: encrypt(keyPair.privateKey, encryptionContext(id)),
  });
  await audit({
    action: 'saml_configuration.encryption_key_changed',
    subjectType: 'saml_configuration',
    subjectId: configurationId,
    after: { certificate: keyPair.certificate, overlap_days: overlapDays },
  });
}

/** Deletes the retired keys of one connection. A retired key is not used even before it is deleted. */
export const deleteRetiredKeys = (configurationId: string): Promise<unknown> =>
  rows(
    `DELETE FROM saml_encryption_keys WHERE organization_id = $1 AND configuration_id = $2 AND retires_at <= now()`,
    [currentOrganization(), configurationId],
  );

/** Returns the valid private keys as PEM, the newest first. Empty if the connection has none, which is common. */
export async function readDecryptionKeys(configurationId: string): Promise<string[]> {
  const keys = await rows<{ id: string; sealed: string }>(
    `SELECT id, private_key_encrypted AS sealed FROM saml_encryption_keys WHERE ${IS_VALID} ORDER BY id DESC`,
    [currentOrganization(), configurationId],
  );
  return keys.map(({ id, sealed }) => decrypt(sealed, encryptionContext(id)));
}
