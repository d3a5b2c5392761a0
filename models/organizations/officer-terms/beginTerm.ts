import { createRow, type NewRow } from '../../database/model/change.js';
import { refuse } from '../../errors.js';
import { chapterExists } from '../chapters.js';
import { isFutureDay } from '../lifecycle/scheduleChange.js';
import { changeTerms, lockMember, requirePast, today } from './changeTerms.js';
import { OfficerTerm } from './OfficerTerm.js';
import { planTerm } from './planTerm.js';

type NewTerm = Omit<NewRow<(typeof OfficerTerm)['definition']['columns']>, 'chapter_id' | 'starts_on'> & {
  starts_on?: string | undefined;
};

/** The id of a term that has begun, or of a planned one. */
export type BegunOrPlannedTerm = { term: string; planned?: never } | { planned: string; term?: never };

/**
 * Begins a term that runs from today or an earlier day.
 * @returns its id
 * @throws Refusal not_found, validation_error, not_in_active_standing, office_taken, duplicate, later_change_exists
 */
export async function beginTerm(chapterId: string, { starts_on, ...term }: NewTerm): Promise<string> {
  if (!(await chapterExists(chapterId))) throw refuse.not_found();
  const member = await lockMember(chapterId, term.membership_id, 'membership');
  if (starts_on !== undefined) await requirePast(starts_on, 'starts_on');
  const from = starts_on ?? (await today());
  const fields = { ...term, chapter_id: chapterId, starts_on: from };
  return (await changeTerms([member], from, () => createRow(OfficerTerm, fields))).id;
}

/** Begins a term, or plans it if its first day is in the future. @throws Refusal as `beginTerm` and `planTerm` */
export async function beginOrPlan(chapterId: string, term: NewTerm): Promise<BegunOrPlannedTerm> {
  const { starts_on, membership_id, position, title, ends_on } = term;
  if (starts_on === undefined || !(await isFutureDay(starts_on, 'starts_on')))
    return { term: await beginTerm(chapterId, term) };
  if (!(await chapterExists(chapterId))) throw refuse.not_found();
  const member = await lockMember(chapterId, membership_id, 'membership');
  return {
    planned: await planTerm(member, {
      position,
      title: title as string | null,
      starts_on,
      ends_on: ends_on as string | null,
    }),
  };
}
