import { type Edit, editRow, requireVersion } from '../database/model/change.js';
import { invalid } from '../errors.js';
import type { Chapter } from './Chapter.js';

/**
 * Changes a locked chapter. A trigger (`keep_chapter_transitions.sql`) decides which status may follow which; the audit
 * log records the reason.
 * @param reason required when the status changes
 * @throws Refusal stale_version, validation_error, transition_not_allowed, duplicate
 */
export async function changeChapter(chapter: Chapter, edit: Edit<Chapter>, reason?: string): Promise<void> {
  requireVersion(chapter, edit.version);
  const changesStatus = edit.status !== undefined && edit.status !== chapter.status;
  if (changesStatus && reason === undefined) throw invalid('reason', 'Required if the request changes the status.');
  if (!changesStatus && reason !== undefined)
    throw invalid('reason', 'Allowed only if the request also changes the status.');
  await editRow(chapter, edit, { reason });
}
