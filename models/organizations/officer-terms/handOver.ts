import { createRow, editRow, lockForEdit } from '../../database/model/change.js';
import { loadRow } from '../../database/model/read.js';
import { invalid } from '../../errors.js';
import { organizationsErrors } from '../errors.js';
import { isFutureDay } from '../lifecycle/scheduleChange.js';
import { changeTerms, lockMember, requireAccepted, requirePast, today } from './changeTerms.js';
import type { Membership } from '../Membership.js';
import type { BegunOrPlannedTerm } from './beginTerm.js';
import { OfficerTerm } from './OfficerTerm.js';
import { planTerm } from './planTerm.js';

export interface HandOver {
  /** The membership that takes the office. */
  successor: string;
  /** Default: today. */
  effectiveOn?: string | undefined;
  /** When the new term is planned to end. */
  endsOn?: string | null | undefined;
}

/**
 * Ends a running term and begins the successor's, in one transaction, so that the office always has exactly one holder.
 * @returns the new term's id
 * @throws Refusal not_found, term_ended, validation_error, invitation_open, not_in_active_standing, duplicate,
 * later_change_exists
 */
export async function handOver(termId: string, { successor, effectiveOn, endsOn }: HandOver): Promise<string> {
  const { chapter_id, membership_id } = await loadRow(OfficerTerm, termId);
  if (membership_id === successor) throw invalid('successor', 'This member already holds this office.');
  if (effectiveOn !== undefined) await requirePast(effectiveOn, 'effective_on');
  const day = effectiveOn ?? (await today());
  // Lock in id order, so that two opposite hand-overs do not deadlock.
  const members = [];
  for (const id of [membership_id, successor].toSorted()) members.push(await lockMember(chapter_id, id, 'successor'));
  await requireAccepted(members.find(({ id }) => id === successor) as Membership);
  const term = await lockForEdit(OfficerTerm, termId);
  if (term.ended_on !== null) throw organizationsErrors.term_ended();
  if (day < term.starts_on) throw invalid('effective_on', 'Must not be before the term starts.');
  return changeTerms(members, day, async () => {
    await editRow(term, { ended_on: day });
    const { position, title } = term;
    const next = { chapter_id, membership_id: successor, position, title, starts_on: day, ends_on: endsOn ?? null };
    return (await createRow(OfficerTerm, next)).id;
  });
}

/** Hands an office over, or plans it if the day is in the future. @throws Refusal as `handOver` and `planTerm` */
export async function handOverOrPlan(termId: string, request: HandOver): Promise<BegunOrPlannedTerm> {
  const { successor, effectiveOn, endsOn } = request;
  if (effectiveOn === undefined || !(await isFutureDay(effectiveOn))) return { term: await handOver(termId, request) };
  const { chapter_id, membership_id } = await loadRow(OfficerTerm, termId);
  if (membership_id === successor) throw invalid('successor', 'This member already holds this office.');
  const member = await lockMember(chapter_id, successor, 'successor');
  await requireAccepted(member);
  const { position, title, ended_on } = await lockForEdit(OfficerTerm, termId);
  if (ended_on !== null) throw organizationsErrors.term_ended();
  const next = { position, title, starts_on: effectiveOn, ends_on: endsOn, predecessor_id: termId };
  return { planned: await planTerm(member, next) };
}
