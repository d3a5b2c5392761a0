/**
 * Rules that say who may decide which pending request. Each area declares those of its queues, made of the functions
 * with which the review of the queue authorizes a person.
 */
import { Refusal } from '../../../models/errors.js';
import type { Actor } from '../../../models/identity/Actor.js';
import type { Approval, ApprovalKind } from '../../../models/organizations/readApprovals.js';
import { requireOtherPerson } from '../../../models/organizations/requests/decide.js';
import type { ReviewFacts } from '../reviewableRequest.js';

/** Requires that the person may decide a pending request. @throws Refusal what the review of the queue would throw */
type AuthorizeReview = (request: Approval) => Promise<unknown> | void;

export interface ReviewRule {
  /** Returns the check of one person. It is called once per page, so that it can read facts of the person once. */
  authorizes: (actor: Actor) => AuthorizeReview;
  /**
   * Title for people who may not read the request in its queue. Absent: everybody who sees the list may read the
   * requests.
   */
  titleForOthers?: string;
}

const reviewRules = new Map<ApprovalKind, ReviewRule>();

/** Declares the rules of an area's queues. */
export function defineReviewRules(table: Partial<Record<ApprovalKind, ReviewRule>>): void {
  for (const [kind, rule] of Object.entries(table)) reviewRules.set(kind as ApprovalKind, rule);
}

/** Returns the facts with which `authorizeTier` checks a pending request of the list. */
export const tierFacts = <First extends string>(actor: Actor, request: Approval, first: First): ReviewFacts<First> => ({
  chapterId: request.chapter,
  requireDecidable: () => requireOtherPerson(request.requested_by, actor.userId),
  findTier: async () => (request.tier === 'organization' ? 'organization' : first),
});

/** Presents a page of pending requests, with the reason why the person may not decide a request. */
export async function presentApprovals(actor: Actor, requests: readonly Approval[]) {
  const checks = new Map<ApprovalKind, AuthorizeReview>();
  const presented: ReturnType<typeof present>[] = [];
  for (const request of requests) {
    const rule = reviewRules.get(request.kind);
    if (!rule) throw new Error(`The queue ${request.kind} has no review rule.`);
    const check = checks.get(request.kind) ?? rule.authorizes(actor);
    checks.set(request.kind, check);
    presented.push(present(request, rule, actor, await refusalOf(async () => check(request))));
  }
  return presented;
}

async function refusalOf(check: () => Promise<unknown>): Promise<Refusal | null> {
  try {
    await check();
    return null;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

function present(
  { email: _email, membership_id: _membership, ...request }: Approval,
  { titleForOthers }: ReviewRule,
  { userId }: Actor,
  refusal: Refusal | null,
) {
  const isHidden = titleForOthers !== undefined && refusal?.code === 'forbidden' && request.requested_by !== userId;
  return {
    ...request,
    ...(isHidden && { title: titleForOthers, requested_by: null }),
    may_decide: refusal === null,
    why_not: refusal && { code: refusal.code, detail: refusal.message },
  };
}
