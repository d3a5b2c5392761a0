/** What a bulletin says, and when. Each change of one that is out, or on its way, is a new edition, with a process of its own. */
import { isDeepStrictEqual } from 'node:util';
import { publishBulletin } from '../../../workflows/contracts/index.js';
import { currentScope } from '../../database/connection.js';
import { createRow, type Edit, editRow, lockRow, now, removeRow } from '../../database/model/change.js';
import type { New } from '../../database/model/change.js';
import { enqueue } from '../../database/outbox.js';
import { Bulletin } from './Bulletin.js';

type Columns = (typeof Bulletin)['definition']['columns'];

/** @throws Refusal chapter_not_active, validation_error */
export async function createBulletin(fields: New<Columns>): Promise<string> {
  const edition = fields.publish_at ? 1 : 0;
  const { id } = await createRow(Bulletin, { ...fields, edition, decided_by: edition > 0 ? fields.author_id : null });
  if (edition > 0) await enqueue(publishBulletin, { bulletinId: id, edition: String(edition) });
  return id;
}

/** @throws Refusal stale_version, chapter_not_active, validation_error */
export async function editBulletin(bulletin: Bulletin, edit: Edit<Bulletin>): Promise<void> {
  const { version: _, ...fields } = edit;
  const differs = Object.entries(fields).some(
    ([name, value]) => value !== undefined && !isDeepStrictEqual(value, bulletin.get(name)),
  );
  const wasOut = bulletin.publish_at !== null;
  const isOut = edit.publish_at === undefined ? wasOut : edit.publish_at !== null;
  if (!differs || !(wasOut || isOut)) {
    await editRow(bulletin, { ...edit, ...(edit.publish_at === null && { refusal: null }) });
    return;
  }
  const edition = bulletin.edition + 1;
  await replaceProcess(bulletin, edition);
  const { userId } = currentScope().origin;
  await editRow(bulletin, { ...edit, edition, decided_by: userId, refusal: null });
}

/** Publishes one now that is not published. @throws Refusal chapter_not_active, validation_error for one that has expired */
export async function publishNow(bulletin: Bulletin): Promise<void> {
  const { publish_at: at, expires_at: until } = bulletin;
  const moment = new Date();
  if (at !== null && at <= moment && (until === null || until > moment)) return;
  await editBulletin(bulletin, { publish_at: now });
}

/** Removes a bulletin; what people were told of it is taken back. @throws Refusal not_found */
export async function removeBulletin(id: string): Promise<void> {
  const bulletin = await lockRow(Bulletin, id);
  if (bulletin.edition > 0) await replaceProcess(bulletin, bulletin.edition + 1);
  await removeRow(Bulletin, id);
}

/** The process of the edition before hears that it waits for nothing any more. */
async function replaceProcess({ id, edition: before, told_edition: told }: Bulletin, edition: number): Promise<void> {
  if (told < before) await enqueue(publishBulletin, { bulletinId: id, edition: String(before) }, { signal: 'changed' });
  await enqueue(publishBulletin, { bulletinId: id, edition: String(edition) });
}
