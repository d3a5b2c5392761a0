/** Stores the result of reading an identity provider's metadata. Call it inside `inTenant`. */
import { changeRow, lockForEditIfExists, now } from '../../../database/model/change.js';
import { loadIfExists } from '../../../database/model/read.js';
import { oneRow } from '../../../database/rows.js';
import { enqueueNoticeToAdmins } from '../../notices/enqueueNoticeToAdmins.js';
import { SsoConnection } from '../SsoConnection.js';
import { SamlConfiguration } from './SamlConfiguration.js';
import { changeSamlConfiguration, readSamlConfiguration, type SamlFields } from './samlConfigurations.js';

/** The fields that are copied from metadata. */
export type PublishedFacts = Pick<
  SamlFields,
  'idp_entity_id' | 'certificate' | 'next_certificate' | 'third_certificate'
>;

const OTHER_ENTITY = 'The metadata describes another identity provider.';
/** How long refreshes must have failed before admins are warned. A provider may be down for a day without a warning. */
const WARN_AFTER = '2 days';

/**
 * Copies changed certificates from the metadata, if it describes the same identity provider. Sign-in URLs are not
 * copied: only an admin may change where people type their password.
 * @param url the metadata URL that was read; nothing is copied if an admin has changed it meanwhile
 */
async function applyMetadata(id: string, url: string, facts: PublishedFacts): Promise<void> {
  if (!(await hasMetadataUrl(id, url))) return;
  const { idp_entity_id, ...current } = await readSamlConfiguration(id);
  if (facts.idp_entity_id !== idp_entity_id) return recordRefreshFailure(id, url, OTHER_ENTITY);
  const { certificate, next_certificate, third_certificate } = facts;
  const published = { certificate, next_certificate, third_certificate };
  const differs = Object.entries(published).some(([name, pem]) => current[name as keyof typeof published] !== pem);
  if (differs) await changeSamlConfiguration(id, published);
  const succeeded = { last_refresh_error: null, refresh_failing_since: null, refresh_warned_at: null };
  await changeRow(SamlConfiguration, id, { last_refreshed_at: now, ...succeeded });
}

/**
 * Records a failed refresh and keeps the stored certificates. If refreshes fail for longer than WARN_AFTER, notifies
 * the admins once.
 * @param error text for the admins, without secrets
 */
async function recordRefreshFailure(id: string, url: string, error: string): Promise<void> {
  if (!(await hasMetadataUrl(id, url))) return;
  const { warn } = await oneRow<{ warn: boolean }>(
    `UPDATE saml_configurations
        SET last_refresh_error = $2, refresh_failing_since = coalesce(refresh_failing_since, now()),
            refresh_warned_at = CASE WHEN refresh_failing_since < now() - interval '${WARN_AFTER}'
                                     THEN coalesce(refresh_warned_at, now()) END
      WHERE id = $1 RETURNING refresh_warned_at IS NOT DISTINCT FROM now() AS warn`,
    [id, error.slice(0, 100)],
  );
  if (!warn) return;
  const { name } = await readSamlConfiguration(id);
  await enqueueNoticeToAdmins('metadata_unreadable', { provider: name, reason: error.slice(0, 100) });
}

/**
 * Reports whether the configuration still has this metadata address. Locks the connection before it reads the address,
 * as admins' changes do, and so waits for a concurrent change.
 */
async function hasMetadataUrl(id: string, url: string): Promise<boolean> {
  await lockForEditIfExists(SsoConnection, id);
  return (await loadIfExists(SamlConfiguration, { id, metadata_url: url })) !== null;
}

/** Stores the result of reading a metadata address. */
export const storeRefreshResult = (
  id: string,
  url: string,
  answer: PublishedFacts | { problem: string },
): Promise<void> =>
  'problem' in answer ? recordRefreshFailure(id, url, answer.problem) : applyMetadata(id, url, answer);
