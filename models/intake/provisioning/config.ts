/** Where an organization's members get accounts, and what opens it. */
import { audit } from '../../database/audit.js';
import { decrypt, encrypt } from '../../database/encryption.js';
import { createRow, editRow, lockIfThere, removeRow, requireVersion } from '../../database/model/change.js';
import { findRow, type ShownRow } from '../../database/model/read.js';
import { currentOrganization, firstRow, rows } from '../../database/rows.js';
import { uuidv7 } from '../../database/uuid.js';
import { invalid, refuse } from '../../errors.js';
import { credentialsOf, type Credentials } from './credentials.js';
import { ProvisioningConfig } from './ProvisioningConfig.js';
import type { Provider } from './vocabulary.js';

type Shown = ShownRow<typeof ProvisioningConfig>;

export interface ConfigGiven {
  provider: Provider;
  domain: string;
  address_template: string;
  unit?: string | null | undefined;
  groups?: string[] | undefined;
  on_leave?: ProvisioningConfig['on_leave'] | undefined;
  /** Left out: those that were entered for the same provider and domain stay. */
  credentials?: unknown;
  version?: number | undefined;
}

/** Where the secret is kept. */
const secretPlace = (rowId: string) => ({
  table: 'account_provisioning_configs',
  column: 'credentials_encrypted',
  rowId,
});

const tenant = () => ({ organization_id: currentOrganization() });

/** Null: members who cross get no accounts. */
export const readConfig = (): Promise<Shown | null> => findRow(ProvisioningConfig, tenant());

/**
 * Replaces all of it; whoever waits is tried again, since something is another now.
 * @throws Refusal stale_version, validation_error
 */
export async function replaceConfig({ credentials: given, version, ...rest }: ConfigGiven): Promise<Shown | null> {
  await rows('SELECT pg_advisory_xact_lock(hashtextextended($1, 44))', [currentOrganization()]);
  const kept = await lockIfThere(ProvisioningConfig, tenant());
  if (kept) requireVersion(kept, version);
  else if (version !== undefined && version !== 0) throw refuse.stale_version();
  const credentials = given === undefined ? null : credentialsOf(rest.provider, given);
  // A secret goes nowhere that it was not entered for.
  if (!credentials && (kept?.provider !== rest.provider || kept.domain !== rest.domain))
    throw invalid('credentials', 'Send them: none are kept that were entered for this provider and domain.');
  const fields = { ...rest, unit: rest.unit ?? null, groups: rest.groups ?? [], on_leave: rest.on_leave ?? 'keep' };
  const id = kept?.id ?? uuidv7();
  const sealed = credentials && { credentials_encrypted: encrypt(JSON.stringify(credentials), secretPlace(id)) };
  if (kept) await editRow(kept, { ...fields, ...sealed });
  else
    await createRow(ProvisioningConfig, { id, ...fields, credentials_encrypted: sealed?.credentials_encrypted ?? '' });
  if (kept && sealed) await auditSecret(id);
  await wakeWaiting();
  return readConfig();
}

const auditSecret = (subjectId: string) =>
  audit({
    action: 'account_provisioning_config.credentials_replaced',
    subjectType: 'account_provisioning_config',
    subjectId,
  });

/** Whoever crosses gets no account any more; those that are there stay as they are. @throws Refusal not_found */
export async function removeConfig(): Promise<void> {
  await removeRow(ProvisioningConfig, tenant());
  await endRest();
}

const endRest = () =>
  rows('DELETE FROM account_provisioning_rests WHERE organization_id = $1', [currentOrganization()]);

/** Whose credentials are taken again: those who were not tried, and the one whose try it was that failed. */
export async function wakeWaiting(): Promise<void> {
  await endRest();
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
     SELECT app.enqueue('provisionAccount', 'provision/' || id, jsonb_build_object('organizationId', $1::uuid, 'recordId', id))
       FROM waiting`,
    [currentOrganization()],
  );
}

/** Leaves the provider alone for so long; null: until its credentials are others, or a trial goes well. */
export const restFor = (seconds: number | null): Promise<unknown> =>
  rows(
    `INSERT INTO account_provisioning_rests AS x (organization_id, rests_until)
     VALUES ($1, now() + $2::int * interval '1 second')
     ON CONFLICT (organization_id) DO UPDATE SET noted_at = now(), rests_until = CASE
       WHEN x.rests_until IS NULL THEN NULL WHEN excluded.rests_until IS NULL THEN NULL
       ELSE greatest(x.rests_until, excluded.rests_until) END`,
    [currentOrganization(), seconds],
  );

export interface Opened {
  settings: Credentials & { domain: string };
  unit: string | null;
  groups: string[];
  version: number;
}

/** What work at the provider needs. Null: there is no configuration. */
export async function openConfig(): Promise<Opened | null> {
  const kept = await firstRow<{
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
  if (!kept) return null;
  const { id, provider, domain, unit, groups, version, credentials_encrypted } = kept;
  const credentials = JSON.parse(decrypt(credentials_encrypted, secretPlace(id))) as never;
  return { settings: { provider, domain, credentials }, unit, groups, version };
}

/** Whether that is what stands still, which then does until the transaction ends. */
export const stands = async ({ version }: Opened): Promise<boolean> =>
  (await firstRow('SELECT FROM account_provisioning_configs WHERE organization_id = $1 AND version = $2 FOR SHARE', [
    currentOrganization(),
    version,
  ])) !== null;
