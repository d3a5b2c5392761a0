/** What asking an identity provider's metadata address comes to. Inside of `inTenant`. */
import { changeRow, lockIfThere, now } from '../../../database/model/change.js';
import { loadIfThere } from '../../../database/model/read.js';
import { oneRow } from '../../../database/rows.js';
import { noticeAdmins } from '../../notices/noticeAdmins.js';
import { SsoConnection } from '../SsoConnection.js';
import { SamlConfiguration } from './SamlConfiguration.js';
import { changeSamlConfiguration, readSamlConfiguration, type SamlFields } from './samlConfigurations.js';

/** What metadata says, as far as it is taken over. */
export type PublishedFacts = Pick<
  SamlFields,
  'idp_entity_id' | 'certificate' | 'next_certificate' | 'third_certificate'
>;

const OTHER_ENTITY = 'It describes another identity provider.';
/** A provider that is away for a day is nothing to wake anybody for. */
const PATIENCE = '2 days';

/**
 * Takes the certificates over, where they differ, if the metadata is about the same identity provider. Addresses are not:
 * where people are sent to type their password is an admin's to change.
 * @param url that was asked: an admin may have named another one meanwhile
 */
async function takeOverMetadata(id: string, url: string, facts: PublishedFacts): Promise<void> {
  if (!(await isStillAsked(id, url))) return;
  const { idp_entity_id, ...stands } = await readSamlConfiguration(id);
  if (facts.idp_entity_id !== idp_entity_id) return recordRefreshFailure(id, url, OTHER_ENTITY);
  const { certificate, next_certificate, third_certificate } = facts;
  const published = { certificate, next_certificate, third_certificate };
  const differs = Object.entries(published).some(([name, pem]) => stands[name as keyof typeof published] !== pem);
  if (differs) await changeSamlConfiguration(id, published);
  const succeeded = { last_refresh_error: null, refresh_failing_since: null, refresh_warned_at: null };
  await changeRow(SamlConfiguration, id, { last_refreshed_at: now, ...succeeded });
}

/** What stands, stands. After a while without success the admins are told, once. @param error for them; nothing secret */
async function recordRefreshFailure(id: string, url: string, error: string): Promise<void> {
  if (!(await isStillAsked(id, url))) return;
  const { warn } = await oneRow<{ warn: boolean }>(
    `UPDATE saml_configurations
        SET last_refresh_error = $2, refresh_failing_since = coalesce(refresh_failing_since, now()),
            refresh_warned_at = CASE WHEN refresh_failing_since < now() - interval '${PATIENCE}'
                                     THEN coalesce(refresh_warned_at, now()) END
      WHERE id = $1 RETURNING refresh_warned_at IS NOT DISTINCT FROM now() AS warn`,
    [id, error.slice(0, 100)],
  );
  if (!warn) return;
  const { name } = await readSamlConfiguration(id);
  await noticeAdmins('metadata_unreadable', { provider: name, reason: error.slice(0, 100) });
}

/** Locks the connection first, as an admin's change does: whoever waited sees the address that stands. */
async function isStillAsked(id: string, url: string): Promise<boolean> {
  await lockIfThere(SsoConnection, id);
  return (await loadIfThere(SamlConfiguration, { id, metadata_url: url })) !== null;
}

/** What came of asking, as it is kept. */
export const keepAsked = (id: string, url: string, answer: PublishedFacts | { problem: string }): Promise<void> =>
  'problem' in answer ? recordRefreshFailure(id, url, answer.problem) : takeOverMetadata(id, url, answer);
