/**
 * SAML configurations of an organization. Call these functions inside `inTenant`. Certificates and our private key are
 * stored encrypted.
 */
import { decrypt, decryptIfPossible, encrypt } from '../../../database/encryption.js';
import { createRow, editRow, withoutUndefined, now } from '../../../database/model/change.js';
import { loadRow, shownSql, type ShownRow } from '../../../database/model/read.js';
import { editable, type Editable, toColumns } from '../../../database/model/schemas.js';
import { type Page, type PageRequest, selectPage } from '../../../database/page.js';
import { currentOrganization, firstJson } from '../../../database/rows.js';
import { requireFound, invalid } from '../../../errors.js';
import {
  auditConnection,
  type ConnectionFields,
  createConnection,
  lockConnection,
  storeConnection,
} from '../connectionRows.js';
import { SsoConnection } from '../SsoConnection.js';
import { SamlConfiguration } from './SamlConfiguration.js';

/**
 * Certificates of the identity provider. While the provider replaces its certificate, signatures of the second and
 * third certificate are accepted as well.
 */
interface Certificates {
  certificate: string;
  next_certificate: string | null;
  third_certificate: string | null;
}

/** The identity provider's side of a configuration. Certificates are PEM. */
export type SamlFields = Editable<typeof SamlConfiguration> & Certificates;
export type NewSamlConfiguration = ConnectionFields & SamlFields;
type Edit = { [Name in keyof NewSamlConfiguration]?: NewSamlConfiguration[Name] | undefined } & {
  version?: number | undefined;
};

type StoredConfiguration = ShownRow<typeof SsoConnection> & ShownRow<typeof SamlConfiguration>;
type EncryptedCertificates = Pick<
  SamlConfiguration,
  'certificate_encrypted' | 'next_certificate_encrypted' | 'third_certificate_encrypted'
>;

/** Decrypted certificates; null for one that does not exist or can no longer be decrypted. */
type DecryptedCertificates = { [Name in keyof Certificates]: string | null };

/** The configuration as admins see it. */
export type ShownSamlConfiguration = StoredConfiguration & DecryptedCertificates;

const encryptionContext = (column: keyof EncryptedCertificates | 'sp_private_key_encrypted', rowId: string) => ({
  table: 'saml_configurations',
  column,
  rowId,
});

const JOIN = `JOIN sso_connections ON sso_connections.organization_id = saml_configurations.organization_id
  AND sso_connections.id = saml_configurations.id`;
const COLUMNS = `${shownSql(SsoConnection)}, ${shownSql(SamlConfiguration)}, saml_configurations.certificate_encrypted,
  saml_configurations.next_certificate_encrypted, saml_configurations.third_certificate_encrypted`;

/** Lists the configurations by id, which is the order of creation, in one statement. */
export async function listSamlConfigurations(page: PageRequest): Promise<Page<ShownSamlConfiguration>> {
  const { count, results } = await selectPage<StoredConfiguration & EncryptedCertificates>({
    from: 'saml_configurations saml_configurations',
    where: 'saml_configurations.organization_id = $1',
    values: [currentOrganization()],
    orderBy: '',
    key: 'saml_configurations.id',
    select: COLUMNS,
    join: JOIN,
    ...page,
  });
  return { count, results: results.map(toShownConfiguration) };
}

/**
 * Reads a configuration.
 * @throws Refusal not_found
 */
export async function readSamlConfiguration(id: string): Promise<ShownSamlConfiguration> {
  const stored = await firstJson<StoredConfiguration & EncryptedCertificates>(
    `SELECT ${COLUMNS} FROM saml_configurations ${JOIN}
      WHERE saml_configurations.organization_id = $1 AND saml_configurations.id = $2`,
    [currentOrganization(), id],
  );
  return toShownConfiguration(requireFound(stored));
}

function toShownConfiguration(stored: StoredConfiguration & EncryptedCertificates): ShownSamlConfiguration {
  const {
    certificate_encrypted: _,
    next_certificate_encrypted: __,
    third_certificate_encrypted: ___,
    ...rest
  } = stored;
  return { ...rest, ...decryptCertificates(stored.id, stored) };
}

function decryptCertificates(id: string, encrypted: EncryptedCertificates): DecryptedCertificates {
  const { certificate_encrypted, next_certificate_encrypted: next, third_certificate_encrypted: third } = encrypted;
  return {
    certificate: decryptIfPossible(certificate_encrypted, encryptionContext('certificate_encrypted', id)),
    next_certificate: next && decryptIfPossible(next, encryptionContext('next_certificate_encrypted', id)),
    third_certificate: third && decryptIfPossible(third, encryptionContext('third_certificate_encrypted', id)),
  };
}

const encryptCertificates = (
  id: string,
  { certificate, next_certificate: next, third_certificate: third }: Certificates,
): EncryptedCertificates => ({
  certificate_encrypted: encrypt(certificate, encryptionContext('certificate_encrypted', id)),
  next_certificate_encrypted: next && encrypt(next, encryptionContext('next_certificate_encrypted', id)),
  third_certificate_encrypted: third && encrypt(third, encryptionContext('third_certificate_encrypted', id)),
});

/**
 * Creates a configuration.
 * @param keyPair our key pair for this configuration
 * @param wasRead whether the configuration's `metadata_url` has just been read successfully
 * @throws Refusal validation_error, duplicate
 */
export async function createSamlConfiguration(
  fields: NewSamlConfiguration,
  keyPair: { privateKey: string; certificate: string },
  wasRead = false,
): Promise<ShownSamlConfiguration> {
  const id = await createConnection('saml', 'saml', fields);
  await createRow(SamlConfiguration, {
    id,
    ...toColumns(SamlConfiguration, fields),
    ...encryptCertificates(id, fields),
    last_refreshed_at: wasRead ? now : null,
    sp_certificate: keyPair.certificate,
    sp_private_key_encrypted: encrypt(keyPair.privateKey, encryptionContext('sp_private_key_encrypted', id)),
  });
  await auditConnection('saml', 'created', id, { after: { ...fields } });
  return readSamlConfiguration(id);
}

/**
 * Initial values of the refresh status. They are set when the metadata URL changes, because the status of the old URL
 * does not apply to the new one.
 */
const CLEARED_REFRESH_STATUS = {
  last_refreshed_at: null,
  last_refresh_error: null,
  refresh_failing_since: null,
  refresh_warned_at: null,
};

/**
 * Changes a configuration.
 * @throws Refusal not_found, stale_version, validation_error, duplicate
 */
export async function changeSamlConfiguration(id: string, { version, ...edit }: Edit): Promise<ShownSamlConfiguration> {
  const connection = await lockConnection('saml', id, version);
  const configuration = await loadRow(SamlConfiguration, id);
  const before = {
    ...editable(SsoConnection, connection),
    ...editable(SamlConfiguration, configuration),
    ...decryptCertificates(id, configuration),
  };
  const { certificate, ...rest } = { ...before, ...withoutUndefined(edit) };
  if (certificate === null)
    throw invalid('certificate', 'The stored certificate can no longer be decrypted. Send it again.');
  const after: NewSamlConfiguration = { ...rest, certificate };
  await storeConnection(id, after);
  const refreshed = after.metadata_url === before.metadata_url ? {} : CLEARED_REFRESH_STATUS;
  await editRow(configuration, {
    ...toColumns(SamlConfiguration, after),
    ...encryptCertificates(id, after),
    ...refreshed,
  });
  await auditConnection('saml', 'updated', id, { before, after: { ...after } });
  return readSamlConfiguration(id);
}

/** Returns the private key, as PEM, that signs our messages for this configuration. */
export async function readSamlPrivateKey(id: string): Promise<string> {
  const { sp_private_key_encrypted: sealed } = await loadRow(SamlConfiguration, id);
  return decrypt(sealed, encryptionContext('sp_private_key_encrypted', id));
}
