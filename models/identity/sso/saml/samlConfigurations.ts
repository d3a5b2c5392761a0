/** SAML configurations of an organization. Inside of `inTenant`; certificates and our private key stay sealed. */
import { decrypt, decryptIfPossible, encrypt } from '../../../database/encryption.js';
import { createRow, editRow, given, now } from '../../../database/model/change.js';
import { loadRow, shownSql, type ShownRow } from '../../../database/model/read.js';
import { editable, type Editable, toColumns } from '../../../database/model/schemas.js';
import { type Page, type PageRequest, selectPage } from '../../../database/page.js';
import { currentOrganization, firstJson } from '../../../database/rows.js';
import { found, invalid } from '../../../errors.js';
import {
  auditConnection,
  type ConnectionFields,
  createConnection,
  lockConnection,
  storeConnection,
} from '../connectionRows.js';
import { SsoConnection } from '../SsoConnection.js';
import { SamlConfiguration } from './SamlConfiguration.js';

/** Of the identity provider; the further ones are accepted beside the first while it changes over. */
interface Certificates {
  certificate: string;
  next_certificate: string | null;
  third_certificate: string | null;
}

/** The identity provider's side. Certificates are PEM. */
export type SamlFields = Editable<typeof SamlConfiguration> & Certificates;
export type NewSamlConfiguration = ConnectionFields & SamlFields;
type Edit = { [Name in keyof NewSamlConfiguration]?: NewSamlConfiguration[Name] | undefined } & {
  version?: number | undefined;
};

type Stored = ShownRow<typeof SsoConnection> & ShownRow<typeof SamlConfiguration>;
type Sealed = Pick<
  SamlConfiguration,
  'certificate_encrypted' | 'next_certificate_encrypted' | 'third_certificate_encrypted'
>;

/** The same as they were opened: null what is not there, or cannot be opened any more. */
type Opened = { [Name in keyof Certificates]: string | null };

/** As admins see it. */
export type ShownSamlConfiguration = Stored & Opened;

const place = (column: keyof Sealed | 'sp_private_key_encrypted', rowId: string) => ({
  table: 'saml_configurations',
  column,
  rowId,
});

const JOIN = `JOIN sso_connections ON sso_connections.organization_id = saml_configurations.organization_id
  AND sso_connections.id = saml_configurations.id`;
const COLUMNS = `${shownSql(SsoConnection)}, ${shownSql(SamlConfiguration)}, saml_configurations.certificate_encrypted,
  saml_configurations.next_certificate_encrypted, saml_configurations.third_certificate_encrypted`;

/** By id, which is the order in which they were made; in one statement. */
export async function listSamlConfigurations(page: PageRequest): Promise<Page<ShownSamlConfiguration>> {
  const { count, results } = await selectPage<Stored & Sealed>({
    from: 'saml_configurations saml_configurations',
    where: 'saml_configurations.organization_id = $1',
    values: [currentOrganization()],
    orderBy: '',
    key: 'saml_configurations.id',
    select: COLUMNS,
    join: JOIN,
    ...page,
  });
  return { count, results: results.map(shown) };
}

/** @throws Refusal not_found */
export async function readSamlConfiguration(id: string): Promise<ShownSamlConfiguration> {
  const stored = await firstJson<Stored & Sealed>(
    `SELECT ${COLUMNS} FROM saml_configurations ${JOIN}
      WHERE saml_configurations.organization_id = $1 AND saml_configurations.id = $2`,
    [currentOrganization(), id],
  );
  return shown(found(stored));
}

function shown(stored: Stored & Sealed): ShownSamlConfiguration {
  const {
    certificate_encrypted: _,
    next_certificate_encrypted: __,
    third_certificate_encrypted: ___,
    ...rest
  } = stored;
  return { ...rest, ...unsealed(stored.id, stored) };
}

function unsealed(id: string, sealed: Sealed): Opened {
  const { certificate_encrypted, next_certificate_encrypted: next, third_certificate_encrypted: third } = sealed;
  return {
    certificate: decryptIfPossible(certificate_encrypted, place('certificate_encrypted', id)),
    next_certificate: next && decryptIfPossible(next, place('next_certificate_encrypted', id)),
    third_certificate: third && decryptIfPossible(third, place('third_certificate_encrypted', id)),
  };
}

const seal = (id: string, { certificate, next_certificate: next, third_certificate: third }: Certificates): Sealed => ({
  certificate_encrypted: encrypt(certificate, place('certificate_encrypted', id)),
  next_certificate_encrypted: next && encrypt(next, place('next_certificate_encrypted', id)),
  third_certificate_encrypted: third && encrypt(third, place('third_certificate_encrypted', id)),
});

/**
 * @param keyPair ours for this configuration
 * @param wasRead its `metadata_url` was asked a moment ago, and this is what it says
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
    ...seal(id, fields),
    last_refreshed_at: wasRead ? now : null,
    sp_certificate: keyPair.certificate,
    sp_private_key_encrypted: encrypt(keyPair.privateKey, place('sp_private_key_encrypted', id)),
  });
  await auditConnection('saml', 'created', id, { after: { ...fields } });
  return readSamlConfiguration(id);
}

/** What is known of an address does not hold for another one. */
const UNKNOWN = {
  last_refreshed_at: null,
  last_refresh_error: null,
  refresh_failing_since: null,
  refresh_warned_at: null,
};

/** @throws Refusal not_found, stale_version, validation_error, duplicate */
export async function changeSamlConfiguration(id: string, { version, ...edit }: Edit): Promise<ShownSamlConfiguration> {
  const connection = await lockConnection('saml', id, version);
  const configuration = await loadRow(SamlConfiguration, id);
  const before = {
    ...editable(SsoConnection, connection),
    ...editable(SamlConfiguration, configuration),
    ...unsealed(id, configuration),
  };
  const { certificate, ...rest } = { ...before, ...given(edit) };
  if (certificate === null)
    throw invalid('certificate', 'The one that is kept cannot be opened any more: send it again.');
  const after: NewSamlConfiguration = { ...rest, certificate };
  await storeConnection(id, after);
  const refreshed = after.metadata_url === before.metadata_url ? {} : UNKNOWN;
  await editRow(configuration, { ...toColumns(SamlConfiguration, after), ...seal(id, after), ...refreshed });
  await auditConnection('saml', 'updated', id, { before, after: { ...after } });
  return readSamlConfiguration(id);
}

/** The key that signs our messages of this configuration, PEM. */
export async function samlPrivateKey(id: string): Promise<string> {
  const { sp_private_key_encrypted: sealed } = await loadRow(SamlConfiguration, id);
  return decrypt(sealed, place('sp_private_key_encrypted', id));
}
