import { audit } from '../../database/audit.js';
import { lockForEdit, requireVersion } from '../../database/model/change.js';
import { readRow } from '../../database/model/read.js';
import { currentOrganization, oneRow } from '../../database/rows.js';
import { organizationsErrors } from '../errors.js';
import { ConsentTemplate } from './ConsentTemplate.js';

/**
 * Publishes the draft as the version to agree to. People who agreed to an earlier version are asked again.
 * @param seen the version of the draft that the admin read
 * @throws Refusal not_found, stale_version, nothing_to_publish
 */
export async function publishTemplate(id: string, publishedBy: string, seen: number | undefined): Promise<void> {
  requireVersion(await lockForEdit(ConsentTemplate, id), seen);
  const { state } = await readRow(ConsentTemplate, id);
  if (state === 'published') throw organizationsErrors.nothing_to_publish();
  // A database trigger fills in the version's text, number and hash.
  const { number, text_hash } = await oneRow<{ number: number; text_hash: string }>(
    `INSERT INTO consent_versions (organization_id, template_id, published_by) VALUES ($1, $2, $3) RETURNING number, text_hash`,
    [currentOrganization(), id, publishedBy],
  );
  const after = { version: number, text_hash };
  await audit({ action: 'consent_template.published', subjectType: 'consent_template', subjectId: id, after });
}
