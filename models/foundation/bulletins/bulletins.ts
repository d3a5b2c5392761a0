/** Bulletins: written as drafts, and changed until sending begins. */
import { createRow, type Edit, editRow, lockForEdit, type NewRow, removeRow } from '../../database/model/change.js';
import { readRow, type ShownRow } from '../../database/model/read.js';
import { currentOrganization, oneRow } from '../../database/rows.js';
import { readConfig } from '../config/readConfig.js';
import { foundationErrors } from '../errors.js';
import type { RecipientStatus } from './BulletinRecipient.js';
import { FoundationBulletin } from './FoundationBulletin.js';

/** A bulletin with the number of its recipients in each status. */
export type ShownBulletin = ShownRow<typeof FoundationBulletin> & { recipients: Record<RecipientStatus, number> };

/** Reads a bulletin with the number of its recipients in each status. @throws Refusal not_found */
export async function readBulletin(id: string): Promise<ShownBulletin> {
  const bulletin = await readRow(FoundationBulletin, id);
  const { recipients } = await oneRow<{ recipients: Record<RecipientStatus, number> }>(
    `SELECT jsonb_build_object('pending', 0, 'sent', 0, 'failed', 0, 'bounced', 0, 'skipped', 0)
            || coalesce((SELECT jsonb_object_agg(status, counted) FROM (
                 SELECT status, count(*) AS counted FROM foundation_bulletin_recipients
                  WHERE organization_id = $1 AND bulletin_id = $2 GROUP BY status) by_status), '{}') AS recipients`,
    [currentOrganization(), id],
  );
  return { ...bulletin, recipients };
}

/** Creates a bulletin as a draft. @throws Refusal foundation_not_configured, validation_error */
export async function createBulletin(
  bulletin: NewRow<(typeof FoundationBulletin)['definition']['columns']>,
): Promise<ShownBulletin> {
  await readConfig();
  const { id } = await createRow(FoundationBulletin, bulletin);
  return readBulletin(id);
}

/**
 * Changes a bulletin that is not being sent yet.
 * @throws Refusal not_found, bulletin_not_editable, stale_version, validation_error
 */
export async function changeBulletin(id: string, edit: Edit<FoundationBulletin>): Promise<ShownBulletin> {
  const bulletin = await lockForEdit(FoundationBulletin, id);
  if (bulletin.status !== 'draft' && bulletin.status !== 'scheduled') throw foundationErrors.bulletin_not_editable();
  // Another audience has no campaign, so the client need not remove it.
  const drops = edit.audience !== undefined && edit.audience !== 'campaign_donors' && edit.campaign_id === undefined;
  await editRow(bulletin, drops ? { ...edit, campaign_id: null } : edit);
  return readBulletin(id);
}

/** Deletes a draft. @throws Refusal not_found, bulletin_not_editable, invalid_bulletin_transition */
export async function removeBulletin(id: string): Promise<void> {
  const { status } = await lockForEdit(FoundationBulletin, id);
  if (status === 'scheduled')
    throw foundationErrors.invalid_bulletin_transition('Only drafts can be deleted. Unschedule the bulletin first.');
  if (status !== 'draft') throw foundationErrors.bulletin_not_editable();
  await removeRow(FoundationBulletin, id);
}
