/** Plans and cancels terms that begin on a later day. */
import { currentScope } from '../../database/connection.js';
import { createRow, editRow, lockForEdit, now } from '../../database/model/change.js';
import { currentOrganization, firstRow } from '../../database/rows.js';
import { invalid } from '../../errors.js';
import { organizationsErrors } from '../errors.js';
import type { Membership } from '../Membership.js';
import { PlannedTerm } from './PlannedTerm.js';

export interface NewPlannedTerm {
  position: (typeof PlannedTerm.prototype)['position'];
  title?: string | null | undefined;
  starts_on: string;
  ends_on?: string | null | undefined;
  /** The running term that ends when the planned term begins. */
  predecessor_id?: string | undefined;
}

/**
 * Plans a term of a locked member. Everything is checked again on the day on which the term begins, but a term that is
 * already impossible now is refused at once.
 * @returns its id
 * @throws Refusal not_in_active_standing, validation_error, duplicate, request_open if the office is already planned to
 * be handed over
 */
export async function planTerm(member: Membership, planned: NewPlannedTerm): Promise<string> {
  const { title = null, ends_on = null, predecessor_id = null, ...rest } = planned;
  if (ends_on !== null && ends_on < planned.starts_on) throw invalid('ends_on', 'Must not be before the term starts.');
  const inActiveStanding = await firstRow('SELECT WHERE app.in_active_standing($1)', [member.status]);
  if (!inActiveStanding) throw organizationsErrors.not_in_active_standing();
  const { id } = await createRow(PlannedTerm, {
    ...rest,
    title,
    ends_on,
    predecessor_id,
    chapter_id: member.chapter_id,
    membership_id: member.id,
    requested_by: currentScope().origin.userId,
  });
  return id;
}

/** Cancels a planned term that has not begun. @throws Refusal not_found, change_ended */
export async function cancelPlannedTerm(chapterId: string, id: string): Promise<void> {
  const planned = await lockForEdit(PlannedTerm, { id, chapter_id: chapterId });
  if (planned.state !== 'scheduled') throw organizationsErrors.change_ended();
  await editRow(planned, { state: 'cancelled', cancelled_by: currentScope().origin.userId, ended_at: now });
}

/** Cancels the planned terms of a membership whose person leaves. */
export async function cancelPlannedTermsOf(membershipId: string): Promise<void> {
  let next: { id: string; chapter_id: string } | null;
  do {
    next = await firstRow<{ id: string; chapter_id: string }>(
      `SELECT id, chapter_id FROM planned_terms
        WHERE organization_id = $1 AND membership_id = $2 AND state = 'scheduled' ORDER BY id LIMIT 1`,
      [currentOrganization(), membershipId],
    );
    if (next) await cancelPlannedTerm(next.chapter_id, next.id);
  } while (next);
}
