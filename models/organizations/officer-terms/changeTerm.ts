import { type Edit, editRow, lockForEdit, removeRow, requireVersion } from '../../database/model/change.js';
import { loadRow } from '../../database/model/read.js';
import { organizationsErrors } from '../errors.js';
import { changeTerms, lockMember, requirePast, today } from './changeTerms.js';
import { OfficerTerm } from './OfficerTerm.js';

/**
 * Locks a term. Its member is locked first, as in changes of the role.
 * @throws Refusal not_found
 */
async function lockTerm(chapterId: string, id: string) {
  const { membership_id } = await loadRow(OfficerTerm, { id, chapter_id: chapterId });
  const member = await lockMember(chapterId, membership_id, 'membership');
  return { member, term: await lockForEdit(OfficerTerm, { id, chapter_id: chapterId }) };
}

/**
 * Changes a term, or ends it (`ended_on`). A term that has ended cannot be reopened. @throws Refusal term_ended,
 * validation_error, stale_version
 */
export async function changeTerm(chapterId: string, id: string, edit: Edit<OfficerTerm>): Promise<void> {
  const { member, term } = await lockTerm(chapterId, id);
  requireVersion(term, edit.version);
  if (term.ended_on !== null && edit.ended_on !== undefined) throw organizationsErrors.term_ended();
  if (edit.starts_on) await requirePast(edit.starts_on, 'starts_on');
  if (!edit.ended_on) return void (await editRow(term, edit));
  await requirePast(edit.ended_on, 'ended_on');
  await changeTerms([member], edit.ended_on, () => editRow(term, edit));
}

/** Deletes a term that was entered by mistake. @throws Refusal not_found */
export async function removeTerm(chapterId: string, id: string): Promise<void> {
  const { member } = await lockTerm(chapterId, id);
  await changeTerms([member], await today(), () => removeRow(OfficerTerm, id));
}
