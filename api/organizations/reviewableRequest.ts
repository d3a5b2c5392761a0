/**
 * Requests that some people file and others review: the routes that list, read, review and withdraw them. These
 * functions return ordinary routes. Where a kind of request needs more, write that route out instead.
 *
 *     const requests = reviewableRequest(handOverRequests, { policy, tags, reviewedBy: ['review'], body, review });
 *     export const handOverRequestRoutes = routes('/api/organizations/:organization_id/hand-over-requests', [
 *       requests.list(),
 *       requests.reviewSeveral(),
 *       requests.read(),
 *       requests.review({ errors: [refuse.stale_version] }),
 *       requests.withdraw(),
 *     ]);
 */
import type { z } from 'zod';
import { lockForEdit } from '../../models/database/model/change.js';
import { apiNameOf, type Columns, type Kind } from '../../models/database/model/defineModel.js';
import { readRow } from '../../models/database/model/read.js';
import { rowJson } from '../../models/database/model/schemas.js';
import { type ErrorDefinition, refuse } from '../../models/errors.js';
import type { Actor } from '../../models/identity/Actor.js';
import {
  type Decidable,
  type RequestKind,
  type Review,
  withdrawRequest,
} from '../../models/organizations/requests/decide.js';
import { requestErrors } from '../../models/organizations/requests/errors.js';
import { listRequests } from '../../models/organizations/requests/listRequests.js';
import { reviewMany } from '../../models/organizations/requests/reviewMany.js';
import { pageOf, pageRequest, presentPage } from '../http/pagination.js';
import { OrganizationParams, OrganizationRowParams, type RowParams } from '../http/params.js';
import { authorize, by, chaptersWithin, may, type Policy } from '../http/policy.js';
import { get, post } from '../http/routes.js';
import { BulkReviewBody, OutcomesJson, requestFilters } from './requests.js';

const { own_request, request_closed } = requestErrors;

interface Texts {
  /** Summary for the API documentation. Default: made from the policy's subject. */
  summary?: string;
  description?: string;
  /** Errors besides own_request and request_closed. */
  errors?: ErrorDefinition[];
}

/**
 * A reviewer's decision. The fields that only this kind of request has are optional, because a review of several
 * requests does not send them.
 */
type Decision<Body extends z.ZodType> = Review & Partial<Omit<z.output<Body>, keyof Review>>;

interface Declaration<Action extends string, Body extends z.ZodType> {
  policy: Policy<Action | 'read'>;
  tags: readonly string[];
  /**
   * Actions that entitle a reviewer; one of them is enough. The first action may be granted for single chapters only.
   */
  reviewedBy: readonly [NoInfer<Action>, ...NoInfer<Action>[]];
  /** Body of a review. */
  body: Body;
  /** Locks a request, authorizes the actor, and decides. @returns the status afterwards */
  review: (actor: Actor, id: string, decision: Decision<Body>) => Promise<string>;
  /** Columns that contain chapter ids. People of these chapters may read the request. */
  chapterColumns?: readonly string[];
  rowParams?: typeof RowParams | typeof OrganizationRowParams;
}

export function reviewableRequest<Row extends Decidable, Action extends string, Body extends z.ZodType<Review>>(
  kind: RequestKind<Row>,
  {
    policy,
    tags,
    reviewedBy,
    body,
    review,
    chapterColumns = ['chapter_id'],
    rowParams = OrganizationRowParams,
  }: Declaration<Action, Body>,
) {
  const model: Kind = kind.model;
  const { columns } = model.definition;
  const response = rowJson(model);
  const tenant = { access: 'tenant', tags } as const;
  const ofRow = { ...tenant, params: rowParams, response };
  const { subject } = policy;
  const chapterFields = chapterColumns.map((column) => apiNameOf(column, columns[column] as Columns[string]));

  return {
    /** Lists the requests of all chapters that the actor may read. */
    list: (texts: Texts = {}) =>
      get(
        '/',
        {
          ...tenant,
          summary: `List ${subject}s`,
          ...texts,
          rule: by(policy, 'read'),
          params: OrganizationParams,
          query: requestFilters(model),
          response: pageOf(response),
        },
        async ({ actor, query, request }) => {
          const chapters = chaptersWithin(actor, policy, 'read');
          const list = { chapters, chapterColumns, status: query.status, orderBy: query.ordering };
          const page = await listRequests<never>(model, { ...list, ...pageRequest(query) });
          return presentPage(page, query, request, (row) => row);
        },
      ),

    reviewSeveral: (texts: Texts = {}) =>
      post(
        '/bulk-review/',
        {
          ...tenant,
          summary: `Review several ${subject}s with one decision`,
          description: 'Requests are reviewed independently: a refused one does not affect the others.',
          operationId: `review${model.name}s`,
          ...texts,
          rule: by(policy, ...reviewedBy),
          params: OrganizationParams,
          body: BulkReviewBody,
          response: OutcomesJson,
        },
        async ({ actor, body: { ids, ...decision } }) => {
          // If the actor may not review in any chapter, the whole bulk request is refused, instead of each item in it.
          if (!reviewedBy.some((action) => may(actor, policy, action))) chaptersWithin(actor, policy, reviewedBy[0]);
          return reviewMany(ids, (id) => review(actor, id, { ...decision, isInBulk: true } as Decision<Body>));
        },
      ),

    read: (texts: Texts = {}) =>
      get(
        '/:id/',
        { ...ofRow, summary: `Get a ${subject}`, ...texts, rule: by(policy, 'read') },
        async ({ actor, params }) => {
          const row = (await readRow(model, params.id)) as Record<string, string | null>;
          const { membership: membership_id = null, requested_by: user_id = null } = row;
          const subjects = chapterFields.map((field) => ({ chapter_id: row[field] ?? null, membership_id, user_id }));
          if (!subjects.some((about) => may(actor, policy, 'read', about))) throw refuse.forbidden();
          return row;
        },
      ),

    review: ({ errors = [], ...texts }: Texts) =>
      post(
        '/:id/review/',
        {
          ...ofRow,
          summary: `Review a ${subject}`,
          operationId: `review${model.name}`,
          ...texts,
          rule: by(policy, ...reviewedBy),
          body,
          errors: [own_request, request_closed, ...errors],
        },
        async ({ actor, params, body: decision }) => {
          await review(actor, params.id, decision as Decision<Body>);
          return readRow(model, params.id);
        },
      ),

    /** Requires a policy with the action `withdraw`. */
    withdraw: (...[texts]: 'withdraw' extends Action ? [Texts?] : [never]) => {
      const rules = policy as Policy<'withdraw'>;
      return post(
        '/:id/withdraw/',
        {
          ...ofRow,
          summary: `Withdraw your ${subject}`,
          operationId: `withdraw${model.name}`,
          ...texts,
          rule: by(rules, 'withdraw'),
          errors: [request_closed],
        },
        async ({ actor, params }) => {
          const request = await lockForEdit(kind.model, params.id);
          authorize(actor, rules, 'withdraw', { user_id: request.requested_by ?? null });
          await withdrawRequest(kind, request);
          return readRow(model, params.id);
        },
      );
    },
  };
}

interface Tiers<First extends string> {
  policy: Policy<`review_${First}` | 'review_organization'>;
  /** Name of the first tier, which decides before the organization does. */
  first: First;
  /** Text of the refusal when the organization's admins decide too early. It says who must decide first. */
  tooEarly: string;
}

/** Facts of a request that the right to review it depends on. */
export interface ReviewFacts<First extends string> {
  /** Chapter whose people decide in the first tier. */
  chapterId: string | null;
  /** Throws unless the request can be decided, by this person. */
  requireDecidable: () => void;
  /** Returns the tier whose decision is due now. */
  findTier: () => Promise<First | 'organization'>;
  /** Whether the request is about the actor. */
  isAboutActor?: boolean;
}

/**
 * Authorizes the actor to review a request in the tier that decides now.
 * @returns that tier
 * @throws Refusal forbidden, own_request; what `requireDecidable` throws; request_closed when the request has left the
 * actor's tier
 */
export async function authorizeTier<First extends string>(
  actor: Actor,
  { chapterId, requireDecidable, findTier, isAboutActor = false }: ReviewFacts<First>,
  { policy, first, tooEarly }: Tiers<First>,
): Promise<First | 'organization'> {
  const mayInFirst = may(actor, policy, `review_${first}`, { chapter_id: chapterId });
  const mayInOrganization = may(actor, policy, 'review_organization');
  if (!mayInFirst && !mayInOrganization) throw refuse.forbidden();
  if (isAboutActor) throw own_request();
  requireDecidable();
  const tier = await findTier();
  if (tier === 'organization' && !mayInOrganization)
    throw request_closed('This request now awaits the decision of an admin of the organization.');
  if (tier === first && !mayInFirst) throw refuse.forbidden(tooEarly);
  return tier;
}
