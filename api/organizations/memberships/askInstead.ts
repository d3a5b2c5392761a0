import type { z } from 'zod';
import { invalid, refuse } from '../../../models/errors.js';
import type { Actor } from '../../../models/identity/Actor.js';
import { officersAddByRequest } from '../../../models/organizations/chapters.js';
import { fileMemberAddRequest } from '../../../models/organizations/member-add-requests/fileMemberAddRequest.js';
import { isTrusted } from '../../../models/organizations/vocabulary.js';
import { authorize, may } from '../../http/policy.js';
import { membershipPolicy } from './policy.js';
import type { MemberCreate } from './schema.js';

type NewMember = z.output<typeof MemberCreate>;

/**
 * Whether this person adds the member by their own hand. Where officers add by request, the request is filed instead.
 * @returns the request's id; null where the member may be added at once
 * @throws Refusal not_found, forbidden; validation_error for what a request does not say; request_open, membership_exists
 */
export async function askInstead(actor: Actor, chapterId: string, member: NewMember): Promise<string | null> {
  const subject = { chapter_id: chapterId };
  const byRequest = await officersAddByRequest(chapterId);
  if (byRequest === null) throw refuse.not_found();
  authorize(actor, membershipPolicy, 'add', subject);
  const governs = may(actor, membershipPolicy, 'govern', subject);
  if (!byRequest || governs) {
    if (isTrusted(member.role) && !governs) throw refuse.forbidden();
    return null;
  }
  const { justification, status, line_number, crossing_date, ...asked } = member;
  if (!justification) throw invalid('justification', 'Say why: others decide who is added here.');
  const left = { line_number, crossing_date, status: status === 'undergrad' ? null : status };
  for (const [field, value] of Object.entries(left))
    if (value !== null && value !== undefined) throw invalid(field, 'Not by request: it is decided with the approval.');
  return fileMemberAddRequest(chapterId, actor.userId, { ...asked, justification });
}
