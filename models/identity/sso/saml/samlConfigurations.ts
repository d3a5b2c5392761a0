/** SAML configurations of an organization. Inside of `inTenant`; certificates and our private key stay sealed. */
import { decrypt, encrypt } from '../../../database/encryption.js';
import { type Page, type PageRequest, selectPage } from '../../../database/page.js';
import { currentOrganization, firstJson, oneRow, rows } from '../../../database/rows.js';
import { refuse } from '../../../errors.js';
import {
  auditConnection,
  CONNECTION_COLUMNS,
  type ConnectionEdit,
  type ConnectionFields,
  createConnection,
  edited,
  lockConnection,
  type ShownConnection,
  storeConnection,
} from '../connectionRows.js';
import type { AttributeMapping } from './attributes.js';

/** The identity provider's side. Certificates are PEM. */
export interface SamlFields {
  idp_entity_id: string;
  sso_url: string;
  slo_url: string | null;
  certificate: string;
  next_certificate: string | null;
  third_certificate: string | null;
  /** Where the provider publishes its certificates; null: an admin keeps them. */
  metadata_url: string | null;
  attribute_mapping: AttributeMapping;
}

export interface SamlConfiguration extends ShownConnection, SamlFields {
  /** Ours, PEM. */
  sp_certificate: string;
  last_refreshed_at: string | null;
  last_refresh_error: string | null;
  /** Ours for what is encrypted, PEM: the one of the metadata first. */
  encryption_keys: { certificate: string; retires_at: string | null }[];
}

export type NewSamlConfiguration = ConnectionFields & SamlFields;
export type SamlConfigurationEdit = ConnectionEdit & {
  [Name in keyof SamlFields]?: SamlFields[Name] | undefined;
} & { version?: number | undefined };

type Sealed = Omit<SamlConfiguration, 'certificate' | 'next_certificate' | 'third_certificate'> & {
  certificate_encrypted: string;
  next_certificate_encrypted: string | null;
  third_certificate_encrypted: string | null;
};
type SealedColumn =
  | 'certificate_encrypted'
  | 'next_certificate_encrypted'
  | 'third_certificate_encrypted'
  | 'sp_private_key_encrypted';

const place = (column: SealedColumn, rowId: string) => ({ table: 'saml_configurations', column, rowId });

const FIELDS = `s.idp_entity_id, s.sso_url, s.slo_url, s.attribute_mapping, s.certificate_encrypted,
  s.next_certificate_encrypted, s.third_certificate_encrypted, s.metadata_url`;
const COLUMNS = `${CONNECTION_COLUMNS}, ${FIELDS}, s.sp_certificate, s.last_refreshed_at, s.last_refresh_error,
  (SELECT coalesce(json_agg(json_build_object('certificate', k.certificate, 'retires_at', k.retires_at) ORDER BY k.id DESC), '[]')
     FROM saml_encryption_keys k
    WHERE k.organization_id = s.organization_id AND k.configuration_id = s.id
      AND (k.retires_at IS NULL OR k.retires_at > now())) AS encryption_keys`;
const JOIN = 'JOIN sso_connections c ON c.organization_id = s.organization_id AND c.id = s.id';

/** By id, which is the order in which they were made; in one statement. */
export async function listSamlConfigurations(page: PageRequest): Promise<Page<SamlConfiguration>> {
  const { count, results } = await selectPage<Sealed>({
    from: 'saml_configurations s',
    where: 's.organization_id = $1',
    values: [currentOrganization()],
    orderBy: '',
    key: 's.id',
    select: COLUMNS,
    join: JOIN,
    ...page,
  });
  return { count, results: results.map(unseal) };
}

/** @throws Refusal not_found */
export async function readSamlConfiguration(id: string): Promise<SamlConfiguration> {
  const found = await firstJson<Sealed>(
    `SELECT ${COLUMNS} FROM saml_configurations s ${JOIN} WHERE s.organization_id = $1 AND s.id = $2`,
    [currentOrganization(), id],
  );
  if (!found) throw refuse.not_found();
  return unseal(found);
}

function unseal({
  certificate_encrypted,
  next_certificate_encrypted: next,
  third_certificate_encrypted: third,
  ...row
}: Sealed): SamlConfiguration {
  return {
    ...row,
    certificate: decrypt(certificate_encrypted, place('certificate_encrypted', row.id)),
    next_certificate: next && decrypt(next, place('next_certificate_encrypted', row.id)),
    third_certificate: third && decrypt(third, place('third_certificate_encrypted', row.id)),
  };
}

/**
 * @param keyPair ours for this configuration
 * @param wasRead its `metadata_url` was asked a moment ago, and this is what it says
 * @throws Refusal validation_error, duplicate
 */
export async function createSamlConfiguration(
  fields: NewSamlConfiguration,
  keyPair: { privateKey: string; certificate: string },
  wasRead = false,
): Promise<SamlConfiguration> {
  const id = await createConnection('saml', 'saml', fields);
  const column = 'sp_private_key_encrypted';
  await rows(
    `INSERT INTO saml_configurations (id, organization_id, idp_entity_id, sso_url, slo_url, attribute_mapping,
        certificate_encrypted, next_certificate_encrypted, third_certificate_encrypted, metadata_url,
        last_refreshed_at, sp_certificate, sp_private_key_encrypted)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, CASE WHEN $13 THEN now() END, $11, $12)`,
    [
      id,
      currentOrganization(),
      ...valuesOf(id, fields),
      keyPair.certificate,
      encrypt(keyPair.privateKey, place(column, id)),
      wasRead,
    ],
  );
  await auditConnection('saml', 'created', id, { after: { ...fields } });
  return readSamlConfiguration(id);
}

const valuesOf = (id: string, fields: SamlFields): unknown[] => [
  fields.idp_entity_id,
  fields.sso_url,
  fields.slo_url,
  JSON.stringify(fields.attribute_mapping),
  encrypt(fields.certificate, place('certificate_encrypted', id)),
  fields.next_certificate && encrypt(fields.next_certificate, place('next_certificate_encrypted', id)),
  fields.third_certificate && encrypt(fields.third_certificate, place('third_certificate_encrypted', id)),
  fields.metadata_url,
];

/** @throws Refusal not_found, stale_version, validation_error, duplicate */
export async function changeSamlConfiguration(id: string, edit: SamlConfigurationEdit): Promise<SamlConfiguration> {
  const { version, ...wanted } = edit;
  const connection = await lockConnection('saml', id, version);
  const stands = samlFieldsOf(await readSamlConfiguration(id));
  const [newConnection, newFields] = [edited(connection, wanted), edited(stands, wanted)];
  await storeConnection(id, newConnection);
  await storeFields(id, newFields);
  const [before, after] = [
    { ...connection, ...stands },
    { ...newConnection, ...newFields },
  ];
  await auditConnection('saml', 'updated', id, { before, after });
  return readSamlConfiguration(id);
}

/** What is known of an address does not hold for another one. */
const OF_THE_ADDRESS = ['last_refreshed_at', 'last_refresh_error', 'refresh_failing_since', 'refresh_warned_at'];
const KEPT = OF_THE_ADDRESS.map((name) => `${name} = CASE WHEN metadata_url = $9 THEN ${name} END`).join(', ');

async function storeFields(id: string, fields: SamlFields): Promise<void> {
  await rows(
    `UPDATE saml_configurations SET idp_entity_id = $2, sso_url = $3, slo_url = $4, attribute_mapping = $5,
            certificate_encrypted = $6, next_certificate_encrypted = $7, third_certificate_encrypted = $8,
            metadata_url = $9, ${KEPT}
      WHERE id = $1`,
    [id, ...valuesOf(id, fields)],
  );
}

const samlFieldsOf = (row: SamlConfiguration): SamlFields => {
  const { idp_entity_id, sso_url, slo_url, certificate, next_certificate, third_certificate } = row;
  const { metadata_url, attribute_mapping } = row;
  const certificates = { certificate, next_certificate, third_certificate };
  return { idp_entity_id, sso_url, slo_url, ...certificates, metadata_url, attribute_mapping };
};

/** The key that signs our messages of this configuration, PEM. */
export async function samlPrivateKey(id: string): Promise<string> {
  const column = 'sp_private_key_encrypted';
  const sealed = await oneRow<{ sealed: string }>(
    `SELECT ${column} AS sealed FROM saml_configurations WHERE organization_id = $1 AND id = $2`,
    [currentOrganization(), id],
  );
  return decrypt(sealed.sealed, place(column, id));
}
