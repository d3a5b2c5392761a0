/**
 * OAuth configurations of an organization. Call these functions inside `inTenant`. The client secret is stored
 * encrypted.
 */
import { decrypt, encrypt } from '../../database/encryption.js';
import { createRow, editRow, withoutUndefined } from '../../database/model/change.js';
import { loadRow, shownSql, type ShownRow } from '../../database/model/read.js';
import { editable, toColumns } from '../../database/model/schemas.js';
import { type Page, type PageRequest, selectPage } from '../../database/page.js';
import { currentOrganization, firstJson, rows } from '../../database/rows.js';
import { requireFound, invalid } from '../../errors.js';
import {
  auditConnection,
  type ConnectionFields,
  createConnection,
  lockConnection,
  storeConnection,
} from './connectionRows.js';
import { OAuthConfiguration } from './OAuthConfiguration.js';
import { needsSecretAgain, type OAuthFields, requireConsistent } from './oauthRules.js';
import { SsoConnection } from './SsoConnection.js';
import type { OAuthProvider } from './vocabulary.js';

type Fields = ConnectionFields & OAuthFields;
type NewConfiguration = Fields & { provider: OAuthProvider; client_secret: string };
type Edit = { [Name in keyof Fields]?: Fields[Name] | undefined } & {
  client_secret?: string | undefined;
  version?: number | undefined;
};

/** The configuration as admins see it. */
export type ShownOAuthConfiguration = ShownRow<typeof SsoConnection> &
  ShownRow<typeof OAuthConfiguration> & { provider: OAuthProvider };

const encryptionContext = (rowId: string) => ({
  table: 'oauth_configurations',
  column: 'client_secret_encrypted',
  rowId,
});

const COLUMNS = `${shownSql(SsoConnection)}, sso_connections.provider, ${shownSql(OAuthConfiguration)}`;
const JOIN = `JOIN sso_connections ON sso_connections.organization_id = oauth_configurations.organization_id
  AND sso_connections.id = oauth_configurations.id`;
const FROM_ONE = `FROM oauth_configurations ${JOIN}
  WHERE oauth_configurations.organization_id = $1 AND oauth_configurations.id = $2`;

/** Lists the configurations by id, which is the order of creation, in one statement. */
export const listOAuthConfigurations = (page: PageRequest): Promise<Page<ShownOAuthConfiguration>> =>
  selectPage<ShownOAuthConfiguration>({
    from: 'oauth_configurations oauth_configurations',
    where: 'oauth_configurations.organization_id = $1',
    values: [currentOrganization()],
    orderBy: '',
    key: 'oauth_configurations.id',
    select: COLUMNS,
    join: JOIN,
    ...page,
  });

/**
 * Reads a configuration.
 * @throws Refusal not_found
 */
export const readOAuthConfiguration = async (id: string): Promise<ShownOAuthConfiguration> =>
  requireFound(await firstJson<ShownOAuthConfiguration>(`SELECT ${COLUMNS} ${FROM_ONE}`, [currentOrganization(), id]));

/**
 * Creates a configuration.
 * @throws Refusal validation_error, duplicate
 */
export async function createOAuthConfiguration(configuration: NewConfiguration): Promise<ShownOAuthConfiguration> {
  const { provider, client_secret, ...fields } = configuration;
  requireConsistent(provider, fields);
  await requireVerified(fields);
  const id = await createConnection('oauth', provider, fields);
  const client_secret_encrypted = encrypt(client_secret, encryptionContext(id));
  await createRow(OAuthConfiguration, { id, client_secret_encrypted, ...toColumns(OAuthConfiguration, fields) });
  await auditConnection('oauth', 'created', id, { after: { provider, ...fields } });
  return readOAuthConfiguration(id);
}

/**
 * If the connection trusts addresses from the provider's directory, requires that all domains of the connection are
 * verified.
 */
async function requireVerified({ trust_directory_addresses, domains }: Fields): Promise<void> {
  if (!trust_directory_addresses) return;
  const [unverified] = await rows<{ domain: string }>(
    `SELECT given.domain FROM unnest($2::text[]) WITH ORDINALITY AS given (domain, nth)
      WHERE NOT EXISTS (SELECT FROM verified_domains v WHERE v.organization_id = $1 AND v.domain = given.domain)
      ORDER BY nth LIMIT 1`,
    [currentOrganization(), domains],
  );
  if (!unverified) return;
  throw invalid(
    'trust_directory_addresses',
    `The domain ${unverified.domain} is not verified. Ask the platform to verify it first.`,
  );
}

/**
 * Changes a configuration.
 * @throws Refusal not_found, stale_version, validation_error, duplicate
 */
export async function changeOAuthConfiguration(
  id: string,
  { client_secret, version, ...edit }: Edit,
): Promise<ShownOAuthConfiguration> {
  const connection = await lockConnection('oauth', id, version);
  const configuration = await loadRow(OAuthConfiguration, id);
  const before = { ...editable(SsoConnection, connection), ...editable(OAuthConfiguration, configuration) };
  const after: Fields = { ...before, ...withoutUndefined(edit) };
  requireConsistent(connection.provider as OAuthProvider, after);
  await requireVerified(after);
  if (client_secret === undefined && needsSecretAgain(before, after)) {
    throw invalid(
      'client_secret',
      'Send the secret again: this change would send it to another server than the one that it was entered for.',
    );
  }
  await storeConnection(id, after);
  const client_secret_encrypted =
    client_secret === undefined ? undefined : encrypt(client_secret, encryptionContext(id));
  await editRow(configuration, { ...toColumns(OAuthConfiguration, after), client_secret_encrypted });
  const replaced = client_secret === undefined ? {} : { client_secret: 'replaced' };
  await auditConnection('oauth', 'updated', id, { before, after: { ...after, ...replaced } });
  return readOAuthConfiguration(id);
}

/** A configuration with its decrypted secret, as a sign-in needs it. */
export interface DecryptedConfiguration extends ShownOAuthConfiguration {
  client_secret: string;
  /** Changes with each change of the settings. */
  revision: string;
}

/**
 * Reads a configuration and decrypts its secret.
 * @returns null when there is none
 */
export async function decryptOAuthConfiguration(id: string): Promise<DecryptedConfiguration | null> {
  const stored = await firstJson<ShownOAuthConfiguration & { client_secret_encrypted: string }>(
    `SELECT ${COLUMNS}, oauth_configurations.client_secret_encrypted ${FROM_ONE}`,
    [currentOrganization(), id],
  );
  if (!stored) return null;
  const { client_secret_encrypted, ...shown } = stored;
  return {
    ...shown,
    revision: `${id}.${shown.version}`,
    client_secret: decrypt(client_secret_encrypted, encryptionContext(id)),
  };
}
