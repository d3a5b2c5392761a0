import { invalid } from '../../errors.js';
import { verifiedAddresses } from '../../identity/emails/addresses.js';
import { writeNotice } from '../../identity/notices/enqueueNotice.js';
import { findOrganization } from '../../identity/accounts.js';
import { chapterExists } from '../chapters.js';
import { addMember } from '../addMember.js';
import { findAccountInTenant } from '../invitations/findPerson.js';
import { closeRequest, requireDecidable, requireOwnReason, type Review } from '../requests/decide.js';
import { isDisaffiliated } from '../requests/isDisaffiliated.js';
import { requestErrors } from '../requests/errors.js';
import type { MembershipRole, MembershipStatus } from '../vocabulary.js';
import type { AccountMode, AccountRequest } from './AccountRequest.js';
import { accountRequestErrors } from './errors.js';
import { accountRequests } from './kind.js';
import { linkAccount } from './linkAccount.js';
import { findNameMatches, nameThreshold } from './nameMatches.js';

export interface AccountReview extends Review {
  mode: AccountMode;
  /** The member to whose account the address is linked. */
  user?: string | undefined;
  /** The chapter of the membership. Default: the chapter that the request names. */
  chapter?: string | undefined;
  role: MembershipRole;
  status: MembershipStatus;
  confirm_distinct: boolean;
  confirm_name_mismatch: boolean;
}

/**
 * Decides a locked request. It is validated against current data; if validation fails, the request stays pending.
 * @throws Refusal own_request, also for a reviewer who owns the request's address; request_closed, request_unverified,
 * stale_version; possible_duplicate, and the refusals of `addMember` and `linkAccount`
 */
export async function reviewAccountRequest(request: AccountRequest, userId: string, review: AccountReview) {
  const email = await requireReviewable(request, userId, review.version);
  const changes = review.decision === 'approve' ? await approve(request, email, review) : {};
  await closeRequest(accountRequests, request, review, { userId, ...changes });
  if (review.decision === 'approve') return;
  const { name } = (await findOrganization(request.organization_id)) as { name: string };
  const facts = { organization: name, ...(review.notes && { reason: review.notes }) };
  await writeNotice({ userId: null, kind: 'account_request_rejected', email, facts });
}

async function requireReviewable(request: AccountRequest, userId: string, version: number | undefined) {
  if (request.email === null) throw requestErrors.request_closed();
  requireOtherAddress(request.email, await verifiedAddresses(userId));
  requireDecidable(request, userId, version);
  if (request.status === 'unverified') throw accountRequestErrors.request_unverified();
  return request.email;
}

/** Requires that a request's address is none of the reviewer's verified addresses. @throws Refusal own_request */
export function requireOtherAddress(email: string | null, reviewerAddresses: readonly string[]): void {
  if (email !== null && reviewerAddresses.includes(email)) throw requestErrors.own_request();
}

async function approve(request: AccountRequest, email: string, review: AccountReview) {
  if (review.mode === 'link') return { mode: 'link' as const, ...(await linkAccount(request, email, review)) };
  if (review.user !== undefined) throw invalid('user', 'Allowed only when mode is link.');
  const chapter = review.chapter ?? request.chapter_id;
  if (chapter === null) throw invalid('chapter', 'Required, because the request names no chapter.');
  if (!(await chapterExists(chapter))) throw invalid('chapter', 'There is no such chapter.');
  if (!review.confirm_distinct) {
    const matches = await findNameMatches(request, await nameThreshold(), await findAccountInTenant(email));
    if (matches.length > 0) throw accountRequestErrors.possible_duplicate();
  }
  if (await isDisaffiliated(email)) requireOwnReason(review);
  const { first_name, last_name } = request;
  const { role, status } = review;
  const created_membership_id = await addMember(chapter, { email, first_name, last_name, role, status });
  return { mode: 'create' as const, created_membership_id };
}
