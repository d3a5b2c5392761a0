import { audit } from '../../database/audit.js';
import { lockRow, requireVersion } from '../../database/model/change.js';
import { readRow } from '../../database/model/read.js';
import { currentOrganization, oneRow } from '../../database/rows.js';
import { organizationsErrors } from '../errors.js';
import { ConsentTemplate } from './ConsentTemplate.js';

/**
 * Makes the draft the version that is asked: whoever agreed to an earlier one is asked again.
 * @param seen the version of the draft that was read
 * @throws Refusal not_found, stale_version, nothing_to_publish
 */
export async function publishTemplate(id: string, by: string, seen: number | undefined): Promise<void> {
  requireVersion(await lockRow(ConsentTemplate, id), seen);
  const { state } = await readRow(ConsentTemplate, id);
  if (state === 'published') throw organizationsErrors.nothing_to_publish();
  // The rest is the trigger's: text, number and digest.
  const { number, text_hash } = await oneRow<{ number: number; text_hash: string }>(
    `INSERT INTO consent_versions (organization_id, template_id, published_by) VALUES ($1, $2, $3) RETURNING number, text_hash`,
    [currentOrganization(), id, by],
  );
  const after = { version: number, text_hash };
  await audit({ action: 'consent_template.published', subjectType: 'consent_template', subjectId: id, after });
}
