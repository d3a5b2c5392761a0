/** OAuth configurations of an organization. Inside of `inTenant`; the client secret stays sealed. */
import { decrypt, encrypt } from '../../database/encryption.js';
import { type Page, type PageRequest, selectPage } from '../../database/page.js';
import { currentOrganization, firstJson, firstRow, oneRow, rows } from '../../database/rows.js';
import { invalid, refuse } from '../../errors.js';
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
  VERIFIED_DOMAINS,
} from './connectionRows.js';
import type { OAuthProvider } from './connections.js';
import { needsSecretAgain, type OAuthFields, requireConsistent } from './oauthRules.js';

export interface OAuthConfiguration extends ShownConnection, OAuthFields {
  provider: OAuthProvider;
}

export type NewOAuthConfiguration = ConnectionFields & OAuthFields & { provider: OAuthProvider; client_secret: string };

export type OAuthConfigurationEdit = ConnectionEdit & {
  [Name in keyof OAuthFields]?: OAuthFields[Name] | undefined;
} & {
  client_secret?: string | undefined;
  version?: number | undefined;
};

const place = (rowId: string) => ({ table: 'oauth_configurations', column: 'client_secret_encrypted', rowId });

const FIELDS = `o.client_id, o.scopes, o.directory_id, o.issuer, o.authorization_url, o.token_url, o.userinfo_url, o.jwks_uri,
  o.trust_directory_addresses`;
const COLUMNS = `${CONNECTION_COLUMNS}, c.provider, ${FIELDS}`;
const JOIN = 'JOIN sso_connections c ON c.organization_id = o.organization_id AND c.id = o.id';

/** By id, which is the order in which they were made; in one statement. */
export const listOAuthConfigurations = (page: PageRequest): Promise<Page<OAuthConfiguration>> =>
  selectPage<OAuthConfiguration>({
    from: 'oauth_configurations o',
    where: 'o.organization_id = $1',
    values: [currentOrganization()],
    orderBy: '',
    key: 'o.id',
    select: COLUMNS,
    join: JOIN,
    ...page,
  });

/** @throws Refusal not_found */
export async function readOAuthConfiguration(id: string): Promise<OAuthConfiguration> {
  const found = await firstJson<OAuthConfiguration>(
    `SELECT ${COLUMNS} FROM oauth_configurations o ${JOIN} WHERE o.organization_id = $1 AND o.id = $2`,
    [currentOrganization(), id],
  );
  if (!found) throw refuse.not_found();
  return found;
}

/** @throws Refusal validation_error, duplicate */
export async function createOAuthConfiguration(given: NewOAuthConfiguration): Promise<OAuthConfiguration> {
  const { provider, client_secret, ...fields } = given;
  requireConsistent(provider, fields);
  await requireVerified(fields);
  const id = await createConnection('oauth', provider, fields);
  await rows(
    `INSERT INTO oauth_configurations (id, organization_id, client_secret_encrypted, client_id, scopes, directory_id,
                                       issuer, authorization_url, token_url, userinfo_url, jwks_uri,
                                       trust_directory_addresses)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    [id, currentOrganization(), encrypt(client_secret, place(id)), ...valuesOf(fields)],
  );
  await auditConnection('oauth', 'created', id, { after: { provider, ...fields } });
  return readOAuthConfiguration(id);
}

const valuesOf = (fields: OAuthFields): unknown[] => [
  fields.client_id,
  fields.scopes,
  fields.directory_id,
  fields.issuer,
  fields.authorization_url,
  fields.token_url,
  fields.userinfo_url,
  fields.jwks_uri,
  fields.trust_directory_addresses,
];

/** A directory is believed only about domains that the platform has seen to be the organization's, all of them. */
async function requireVerified({ trust_directory_addresses, domains }: OAuthFields & ConnectionFields): Promise<void> {
  if (!trust_directory_addresses) return;
  const [unverified] = await rows<{ domain: string }>(
    `SELECT given.domain FROM unnest($2::text[]) WITH ORDINALITY AS given (domain, nth)
      WHERE NOT EXISTS (SELECT FROM verified_domains v WHERE v.organization_id = $1 AND v.domain = given.domain)
      ORDER BY nth LIMIT 1`,
    [currentOrganization(), domains],
  );
  if (!unverified) return;
  throw invalid('trust_directory_addresses', `Ask the platform to verify first that ${unverified.domain} is yours.`);
}

/** @throws Refusal not_found, stale_version, validation_error, duplicate */
export async function changeOAuthConfiguration(id: string, edit: OAuthConfigurationEdit): Promise<OAuthConfiguration> {
  const { client_secret, version, ...wanted } = edit;
  const connection = await lockConnection('oauth', id, version);
  const provider = await providerOf(id);
  const fields = await oneRow<OAuthFields>(`SELECT ${FIELDS} FROM oauth_configurations o WHERE o.id = $1`, [id]);
  const [newConnection, newFields] = [edited(connection, wanted), edited(fields, wanted)];
  requireConsistent(provider, newFields);
  await requireVerified({ ...newConnection, ...newFields });
  if (client_secret === undefined && needsSecretAgain(fields, newFields)) {
    throw invalid('client_secret', 'Send it again: it would go to another server than the one it was entered for.');
  }
  await storeConnection(id, newConnection);
  await rows(
    `UPDATE oauth_configurations SET client_secret_encrypted = coalesce($2, client_secret_encrypted), client_id = $3,
            scopes = $4, directory_id = $5, issuer = $6, authorization_url = $7, token_url = $8, userinfo_url = $9,
            jwks_uri = $10, trust_directory_addresses = $11 WHERE id = $1`,
    [id, client_secret === undefined ? null : encrypt(client_secret, place(id)), ...valuesOf(newFields)],
  );
  const replaced = client_secret === undefined ? {} : { client_secret: 'replaced' };
  const [before, after] = [
    { ...connection, ...fields },
    { ...newConnection, ...newFields, ...replaced },
  ];
  await auditConnection('oauth', 'updated', id, { before, after });
  return readOAuthConfiguration(id);
}

const providerOf = async (id: string): Promise<OAuthProvider> =>
  (await oneRow<{ provider: OAuthProvider }>('SELECT provider FROM sso_connections WHERE id = $1', [id])).provider;

/** What a sign-in needs, the secret opened. */
export interface OpenedConfiguration extends OAuthFields {
  provider: OAuthProvider;
  client_secret: string;
  verified_domains: string[];
  /** Another one with each change of the settings. */
  revision: string;
}

/** @returns null when there is none */
export async function openOAuthConfiguration(id: string): Promise<OpenedConfiguration | null> {
  const found = await firstRow<Omit<OpenedConfiguration, 'client_secret'> & { client_secret_encrypted: string }>(
    `SELECT c.provider, c.id || '.' || c.version AS revision, ${FIELDS}, ${VERIFIED_DOMAINS}, o.client_secret_encrypted
       FROM oauth_configurations o ${JOIN} WHERE o.organization_id = $1 AND o.id = $2`,
    [currentOrganization(), id],
  );
  if (!found) return null;
  const { client_secret_encrypted, ...fields } = found;
  return { ...fields, client_secret: decrypt(client_secret_encrypted, place(id)) };
}
