import { lockForEdit } from '../../../models/database/model/change.js';
import { readRow } from '../../../models/database/model/read.js';
import { invalid, refuse } from '../../../models/errors.js';
import type { Actor } from '../../../models/identity/Actor.js';
import { emailErrors } from '../../../models/identity/emails/errors.js';
import { identityErrors } from '../../../models/identity/errors.js';
import { AccountRequest } from '../../../models/organizations/account-requests/AccountRequest.js';
import { accountRequestErrors } from '../../../models/organizations/account-requests/errors.js';
import { readMatches } from '../../../models/organizations/account-requests/nameMatches.js';
import {
  type AccountReview,
  reviewAccountRequest,
} from '../../../models/organizations/account-requests/reviewAccountRequest.js';
import { organizationsErrors } from '../../../models/organizations/errors.js';
import { requestErrors } from '../../../models/organizations/requests/errors.js';
import { listRequests } from '../../../models/organizations/requests/listRequests.js';
import { reviewMany } from '../../../models/organizations/requests/reviewMany.js';
import { requireRecentProof } from '../../http/admit.js';
import { pageOf, pageRequest, presentPage } from '../../http/pagination.js';
import { OrganizationParams, OrganizationRowParams } from '../../http/params.js';
import { authorize, by, nationalAdmin, policy } from '../../http/policy.js';
import { get, post, routes } from '../../http/routes.js';
import { BulkReviewBody, OutcomesJson } from '../requests.js';
import { AccountRequestDetail, AccountRequestFilters, AccountRequestJson, AccountReviewBody } from './schema.js';

export const accountRequestPolicy = policy('account request', { read: [nationalAdmin], review: [nationalAdmin] });

const tenant = { access: 'tenant', tags: ['organizations'] } as const;
const { own_request, request_closed } = requestErrors;
const { request_unverified, possible_duplicate, name_mismatch, link_not_allowed } = accountRequestErrors;
const { account_elsewhere, account_disabled, invitation_open } = identityErrors;
const { email_exists, email_taken, email_limit } = emailErrors;
const { chapter_not_active, membership_exists, not_in_active_standing, office_taken } = organizationsErrors;

/**
 * Reviews an account request.
 * @returns its status afterwards
 */
async function review(actor: Actor, id: string, decision: AccountReview): Promise<string> {
  const request = await lockForEdit(AccountRequest, id);
  await reviewAccountRequest(request, actor.userId, decision);
  return request.status;
}

const readDetail = async (id: string) => {
  const request = await readRow(AccountRequest, id);
  return { ...request, name_matches: await readMatches(request) };
};

/** Values for accounts created by a bulk review. Each member joins the requested chapter. */
const BULK_DEFAULTS = {
  mode: 'create',
  role: 'member',
  status: 'undergrad',
  confirm_distinct: false,
  confirm_name_mismatch: false,
} as const;

export const accountRequestRoutes = routes('/api/organizations/:organization_id/account-requests', [
  get(
    '/',
    {
      ...tenant,
      summary: 'List account requests',
      rule: by(accountRequestPolicy, 'read'),
      params: OrganizationParams,
      query: AccountRequestFilters,
      response: pageOf(AccountRequestJson),
    },
    async ({ actor, query, request }) => {
      authorize(actor, accountRequestPolicy, 'read');
      const list = { chapters: null, status: query.status, orderBy: query.ordering, ...pageRequest(query) };
      return presentPage(await listRequests<never>(AccountRequest, list), query, request, (row) => row);
    },
  ),

  post(
    '/bulk-review/',
    {
      ...tenant,
      summary: 'Review several account requests with one decision',
      description:
        'Approved people get a membership in the requested chapter. Requests are reviewed independently: a refused one does not affect ' +
        'the others.',
      operationId: 'reviewAccountRequests',
      rule: by(accountRequestPolicy, 'review'),
      params: OrganizationParams,
      body: BulkReviewBody,
      response: OutcomesJson,
    },
    async ({ actor, body: { ids, ...decision } }) => {
      authorize(actor, accountRequestPolicy, 'review');
      return reviewMany(ids, (id) => review(actor, id, { ...BULK_DEFAULTS, ...decision, isInBulk: true }));
    },
  ),

  get(
    '/:id/',
    {
      ...tenant,
      summary: 'Get an account request with members of a similar name',
      rule: by(accountRequestPolicy, 'read'),
      params: OrganizationRowParams,
      response: AccountRequestDetail,
    },
    async ({ actor, params }) => {
      authorize(actor, accountRequestPolicy, 'read');
      return readDetail(params.id);
    },
  ),

  post(
    '/:id/review/',
    {
      ...tenant,
      summary: 'Review an account request',
      description:
        'Creating adds the person like a manual addition; an address without an account is invited. Linking makes the address a ' +
        'further address of an account. The account is notified at its other addresses and can remove the link for seven days. Linking requires a recent ' +
        'sign-in, and ends when another organization adds the person.',
      operationId: 'reviewAccountRequest',
      rule: by(accountRequestPolicy, 'review'),
      params: OrganizationRowParams,
      body: AccountReviewBody,
      response: AccountRequestJson,
      errors: [
        own_request,
        request_closed,
        request_unverified,
        possible_duplicate,
        name_mismatch,
        link_not_allowed,
        account_elsewhere,
        account_disabled,
        invitation_open,
        email_exists,
        email_taken,
        email_limit,
        membership_exists,
        chapter_not_active,
        not_in_active_standing,
        office_taken,
        refuse.stale_version,
      ],
    },
    async ({ actor, params, body: { mode, ...decision } }) => {
      authorize(actor, accountRequestPolicy, 'review');
      if (decision.decision === 'approve' && mode === undefined)
        throw invalid('mode', 'Required to approve: `create` or `link`.');
      if (decision.decision === 'approve' && mode === 'link') requireRecentProof('tenant', actor);
      await review(actor, params.id, { ...decision, mode: mode ?? 'create' });
      return readRow(AccountRequest, params.id);
    },
  ),
]);
