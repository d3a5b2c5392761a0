import type { z } from 'zod';
import { invalid, refuse } from '../../../models/errors.js';
import type { Actor } from '../../../models/identity/Actor.js';
import { doOfficersAddByRequest } from '../../../models/organizations/chapters.js';
import { fileMemberAddRequest } from '../../../models/organizations/member-add-requests/fileMemberAddRequest.js';
import { isTrusted } from '../../../models/organizations/vocabulary.js';
import { authorize, may } from '../../http/policy.js';
import { membershipPolicy } from './policy.js';
import type { MemberCreate } from './schema.js';

type NewMember = z.output<typeof MemberCreate>;

/**
 * Authorizes the actor to add a member. If officers add members by request in this chapter, files a request instead.
 * @returns the request's id; null if the member may be added at once
 * @throws Refusal not_found, forbidden; validation_error for fields that a request does not have; request_open,
 * membership_exists
 */
export async function fileRequestInstead(actor: Actor, chapterId: string, member: NewMember): Promise<string | null> {
  const subject = { chapter_id: chapterId };
  const byRequest = await doOfficersAddByRequest(chapterId);
  if (byRequest === null) throw refuse.not_found();
  authorize(actor, membershipPolicy, 'add', subject);
  const mayGovern = may(actor, membershipPolicy, 'govern', subject);
  if (!byRequest || mayGovern) {
    if (isTrusted(member.role) && !mayGovern) throw refuse.forbidden();
    return null;
  }
  const { justification, status, line_number, crossing_date, ...fields } = member;
  if (!justification)
    throw invalid('justification', 'Required: members are added by request in this chapter. Give a reason.');
  const notRequestable = { line_number, crossing_date, status: status === 'undergrad' ? null : status };
  for (const [field, value] of Object.entries(notRequestable))
    if (value !== null && value !== undefined)
      throw invalid(field, 'Not allowed in a request. It is set with the approval.');
  return fileMemberAddRequest(chapterId, actor.userId, { ...fields, justification });
}
