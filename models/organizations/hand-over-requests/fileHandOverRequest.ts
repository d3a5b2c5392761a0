import { createRow } from '../../database/model/change.js';
import { loadRow } from '../../database/model/read.js';
import { firstRow } from '../../database/rows.js';
import { invalid } from '../../errors.js';
import { organizationsErrors } from '../errors.js';
import { isFutureDay } from '../lifecycle/scheduleChange.js';
import { lockMember, requireAccepted } from '../officer-terms/changeTerms.js';
import type { HandOver } from '../officer-terms/handOver.js';
import { OfficerTerm } from '../officer-terms/OfficerTerm.js';
import { announceRequest } from '../requests/decide.js';
import { HandOverRequest } from './HandOverRequest.js';
import { handOverRequests } from './kind.js';

/**
 * Files a hand-over request. A request that could not be approved now is refused.
 * @returns the request's id
 * @throws Refusal not_found, term_ended, validation_error, invitation_open, not_in_active_standing, request_open,
 * chapter_not_active
 */
export async function fileHandOverRequest(termId: string, requestedBy: string, requested: HandOver): Promise<string> {
  const { successor, effectiveOn, endsOn = null } = requested;
  const { chapter_id, membership_id, starts_on, ended_on } = await loadRow(OfficerTerm, termId);
  if (ended_on !== null) throw organizationsErrors.term_ended();
  if (membership_id === successor) throw invalid('successor', 'This member already holds this office.');
  const member = await lockMember(chapter_id, successor, 'successor');
  await requireAccepted(member);
  if (!(await firstRow('SELECT WHERE app.in_active_standing($1)', [member.status])))
    throw organizationsErrors.not_in_active_standing();
  if (effectiveOn !== undefined && !(await isFutureDay(effectiveOn)) && effectiveOn < starts_on)
    throw invalid('effective_on', 'Must not be before the term starts.');
  if (endsOn !== null && endsOn < (effectiveOn ?? starts_on))
    throw invalid('ends_on', 'Must not be before the term starts.');
  const request = await createRow(HandOverRequest, {
    chapter_id,
    term_id: termId,
    successor_id: successor,
    effective_on: effectiveOn ?? null,
    ends_on: endsOn,
    requested_by: requestedBy,
    status: 'pending',
  });
  await announceRequest(handOverRequests, request);
  return request.id;
}
