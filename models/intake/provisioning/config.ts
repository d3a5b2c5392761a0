/** Configures the office suite at which an organization's members get accounts, with its credentials. */
import { audit } from '../../database/audit.js';
import { decrypt, encrypt } from '../../database/encryption.js';
import { createRow, editRow, lockForEditIfExists, removeRow, requireVersion } from '../../database/model/change.js';
import { findRow, type ShownRow } from '../../database/model/read.js';
import { currentOrganization, firstRow, rows } from '../../database/rows.js';
import { uuidv7 } from '../../database/uuid.js';
import { invalid, refuse } from '../../errors.js';
import { CHANGED_SIGNAL } from '../../../workflows/contracts/provisionAccount.js';
import { credentialsOf, type Credentials } from './credentials.js';
import { ProvisioningConfig } from './ProvisioningConfig.js';
import type { Provider } from './vocabulary.js';

type Shown = ShownRow<typeof ProvisioningConfig>;

export interface ConfigInput {
  provider: Provider;
  domain: string;
  address_template: string;
  unit?: string | null | undefined;
  groups?: string[] | undefined;
  on_leave?: ProvisioningConfig['on_leave'] | undefined;
  /** New credentials. If left out, the stored ones are kept, provided that provider and domain stay the same. */
  credentials?: unknown;
  version?: number | undefined;
}

/** Encryption context of the credentials. */
const encryptionContext = (rowId: string) => ({
  table: 'account_provisioning_configs',
  column: 'credentials_encrypted',
  rowId,
});

const tenant = () => ({ organization_id: currentOrganization() });

/** Reads the configuration; null if the organization creates no accounts for its members. */
export const readConfig = (): Promise<Shown | null> => findRow(ProvisioningConfig, tenant());

/**
 * Replaces the whole configuration, and retries accounts that wait for the provider.
 * @throws Refusal stale_version, validation_error
 */
export async function replaceConfig({ credentials: entered, version, ...rest }: ConfigInput): Promise<Shown | null> {
  await rows('SELECT pg_advisory_xact_lock(hashtextextended($1, 44))', [currentOrganization()]);
  const existing = await lockForEditIfExists(ProvisioningConfig, tenant());
  if (existing) requireVersion(existing, version);
  else if (version !== undefined && version !== 0) throw refuse.stale_version();
  const credentials = entered === undefined ? null : credentialsOf(rest.provider, entered);
  // Stored credentials are never used for another provider or domain than the one they were entered for.
  if (!credentials && (existing?.provider !== rest.provider || existing.domain !== rest.domain))
    throw invalid('credentials', 'Send credentials: none are stored for this provider and domain.');
  const fields = { ...rest, unit: rest.unit ?? null, groups: rest.groups ?? [], on_leave: rest.on_leave ?? 'keep' };
  const id = existing?.id ?? uuidv7();
  const encrypted = credentials && {
    credentials_encrypted: encrypt(JSON.stringify(credentials), encryptionContext(id)),
  };
  if (existing) await editRow(existing, { ...fields, ...encrypted });
  else
    await createRow(ProvisioningConfig, {
      id,
      ...fields,
      credentials_encrypted: encrypted?.credentials_encrypted ?? '',
    });
  if (existing && encrypted) await auditSecret(id);
  await retryWaiting();
  return readConfig();
}

const auditSecret = (subjectId: string) =>
  audit({
    action: 'account_provisioning_config.credentials_replaced',
    subjectType: 'account_provisioning_config',
    subjectId,
  });

/**
 * Removes the configuration. New members get no accounts; existing accounts stay as they are. @throws Refusal not_found
 */
export async function removeConfig(): Promise<void> {
  await removeRow(ProvisioningConfig, tenant());
  await clearPause();
}

const clearPause = () =>
  rows('DELETE FROM account_provisioning_rests WHERE organization_id = $1', [currentOrganization()]);

/** Retries accounts that wait for the provider, and accounts that failed because it refused the credentials. */
export async function retryWaiting(): Promise<void> {
  await clearPause();
  await rows(
    `WITH again AS (
       UPDATE account_provisioning_records SET problem = NULL, status = CASE
              WHEN account_id IS NOT NULL AND wants = 'active' THEN 'suspended'
              WHEN account_id IS NULL AND address IS NULL THEN 'pending' ELSE 'creating' END
        WHERE organization_id = $1 AND status = 'needs_attention' AND problem = 'credentials_refused' RETURNING id),
     waiting AS (
       SELECT id FROM again UNION
       SELECT id FROM account_provisioning_records WHERE organization_id = $1
          AND (status IN ('pending', 'creating') OR (status IN ('active', 'suspended') AND status <> wants)))
     SELECT app.enqueue('provisionAccount', 'provision/' || id, jsonb_build_object('organizationId', $1::uuid, 'recordId', id), $2)
       FROM waiting`,
    [currentOrganization(), CHANGED_SIGNAL],
  );
}

/**
 * Pauses calls to the provider for the organization.
 * @param seconds how long; null pauses until the credentials change or a test of them succeeds
 */
export const pauseProvider = (seconds: number | null): Promise<unknown> =>
  rows(
    `INSERT INTO account_provisioning_rests AS x (organization_id, rests_until)
     VALUES ($1, now() + $2::int * interval '1 second')
     ON CONFLICT (organization_id) DO UPDATE SET noted_at = now(), rests_until = CASE
       WHEN x.rests_until IS NULL THEN NULL WHEN excluded.rests_until IS NULL THEN NULL
       ELSE greatest(x.rests_until, excluded.rests_until) END`,
    [currentOrganization(), seconds],
  );

export interface DecryptedConfig {
  settings: Credentials & { domain: string };
  unit: string | null;
  groups: string[];
  version: number;
}

/** Reads and decrypts the configuration; null if there is none. */
export async function decryptConfig(): Promise<DecryptedConfig | null> {
  const row = await firstRow<{
    id: string;
    provider: Provider;
    domain: string;
    unit: string | null;
    groups: string[];
    version: number;
    credentials_encrypted: string;
  }>(
    `SELECT id, provider, domain, unit, groups, version, credentials_encrypted FROM account_provisioning_configs
      WHERE organization_id = $1`,
    [currentOrganization()],
  );
  if (!row) return null;
  const { id, provider, domain, unit, groups, version, credentials_encrypted } = row;
  const credentials = JSON.parse(decrypt(credentials_encrypted, encryptionContext(id))) as never;
  return { settings: { provider, domain, credentials }, unit, groups, version };
}

/**
 * Locks the configuration until the transaction ends, if it is still the version that was read.
 * @returns false if the configuration has changed or was removed
 */
export const lockConfigVersion = async ({ version }: DecryptedConfig): Promise<boolean> =>
  (await firstRow('SELECT FROM account_provisioning_configs WHERE organization_id = $1 AND version = $2 FOR SHARE', [
    currentOrganization(),
    version,
  ])) !== null;
