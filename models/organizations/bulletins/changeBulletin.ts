/**
 * Creates, edits and removes bulletins. Each change of a published or scheduled bulletin is a new edition with its own
 * workflow.
 */
import { isDeepStrictEqual } from 'node:util';
import { publishBulletin } from '../../../workflows/contracts/index.js';
import { currentScope } from '../../database/connection.js';
import { createRow, type Edit, editRow, lockForEdit, now, removeRow } from '../../database/model/change.js';
import type { NewRow } from '../../database/model/change.js';
import { enqueue } from '../../database/outbox.js';
import { Bulletin } from './Bulletin.js';

type Columns = (typeof Bulletin)['definition']['columns'];

/**
 * Creates a bulletin. If it has a publication time, starts the workflow that publishes it.
 * @throws Refusal chapter_not_active, validation_error
 */
export async function createBulletin(fields: NewRow<Columns>): Promise<string> {
  const edition = fields.publish_at ? 1 : 0;
  const { id } = await createRow(Bulletin, { ...fields, edition, decided_by: edition > 0 ? fields.author_id : null });
  if (edition > 0) await enqueue(publishBulletin, { bulletinId: id, edition: String(edition) });
  return id;
}

/**
 * Edits a locked bulletin.
 * @throws Refusal stale_version, chapter_not_active, validation_error
 */
export async function editBulletin(bulletin: Bulletin, edit: Edit<Bulletin>): Promise<void> {
  const { version: _, ...fields } = edit;
  const hasChanges = Object.entries(fields).some(
    ([name, value]) => value !== undefined && !isDeepStrictEqual(value, bulletin.get(name)),
  );
  const hadPublishTime = bulletin.publish_at !== null;
  const hasPublishTime = edit.publish_at === undefined ? hadPublishTime : edit.publish_at !== null;
  if (!hasChanges || !(hadPublishTime || hasPublishTime)) {
    await editRow(bulletin, { ...edit, ...(edit.publish_at === null && { refusal: null }) });
    return;
  }
  const edition = bulletin.edition + 1;
  await replaceProcess(bulletin, edition);
  const { userId } = currentScope().origin;
  await editRow(bulletin, { ...edit, edition, decided_by: userId, refusal: null });
}

/**
 * Publishes a bulletin now unless it is already published. @throws Refusal chapter_not_active, validation_error if it
 * has expired
 */
export async function publishNow(bulletin: Bulletin): Promise<void> {
  const { publish_at: at, expires_at: until } = bulletin;
  const moment = new Date();
  if (at !== null && at <= moment && (until === null || until > moment)) return;
  await editBulletin(bulletin, { publish_at: now });
}

/** Removes a bulletin and withdraws the notifications that were sent for it. @throws Refusal not_found */
export async function removeBulletin(id: string): Promise<void> {
  const bulletin = await lockForEdit(Bulletin, id);
  if (bulletin.edition > 0) await replaceProcess(bulletin, bulletin.edition + 1);
  await removeRow(Bulletin, id);
}

/**
 * Starts the workflow of a new edition. First signals the workflow of the previous edition, if it has not finished, so
 * that it ends.
 */
async function replaceProcess(
  { id, edition: before, told_edition: notifiedEdition }: Bulletin,
  edition: number,
): Promise<void> {
  if (notifiedEdition < before)
    await enqueue(publishBulletin, { bulletinId: id, edition: String(before) }, { signal: 'changed' });
  await enqueue(publishBulletin, { bulletinId: id, edition: String(edition) });
}
