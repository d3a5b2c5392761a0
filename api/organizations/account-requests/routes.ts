import { lockForEdit } from '../../../models/database/model/change.js';
import { readRow } from '../../../models/database/model/read.js';
import { invalid, refuse } from '../../../models/errors.js';
import { emailErrors } from '../../../models/identity/emails/errors.js';
import { identityErrors } from '../../../models/identity/errors.js';
import { AccountRequest } from '../../../models/organizations/account-requests/AccountRequest.js';
import { accountRequestErrors } from '../../../models/organizations/account-requests/errors.js';
import { accountRequests } from '../../../models/organizations/account-requests/kind.js';
import { readMatches } from '../../../models/organizations/account-requests/nameMatches.js';
import { reviewAccountRequest } from '../../../models/organizations/account-requests/reviewAccountRequest.js';
import { organizationsErrors } from '../../../models/organizations/errors.js';
import { requireRecentProof } from '../../http/admit.js';
import { OrganizationRowParams } from '../../http/params.js';
import { authorize, by, nationalAdmin, policy } from '../../http/policy.js';
import { get, routes } from '../../http/routes.js';
import { reviewableRequest } from '../reviewableRequest.js';
import { AccountRequestDetail, AccountReviewBody } from './schema.js';

export const accountRequestPolicy = policy('account request', { read: [nationalAdmin], review: [nationalAdmin] });

const tenant = { access: 'tenant', tags: ['organizations'] } as const;

/** Values for accounts created by a bulk review. Each member joins the requested chapter. */
const BULK_DEFAULTS = {
  role: 'member',
  status: 'undergrad',
  confirm_distinct: false,
  confirm_name_mismatch: false,
} as const;

const requests = reviewableRequest(accountRequests, {
  policy: accountRequestPolicy,
  tags: tenant.tags,
  reviewedBy: ['review'],
  body: AccountReviewBody,
  async review(actor, id, { mode, ...decision }) {
    authorize(actor, accountRequestPolicy, 'review');
    if (decision.decision === 'approve' && !decision.isInBulk) {
      if (mode === undefined) throw invalid('mode', 'Required to approve a request. Send `create` or `link`.');
      if (mode === 'link') requireRecentProof('tenant', actor);
    }
    const request = await lockForEdit(AccountRequest, id);
    await reviewAccountRequest(request, actor.userId, { ...BULK_DEFAULTS, ...decision, mode: mode ?? 'create' });
    return request.status;
  },
});

export const accountRequestRoutes = routes('/api/organizations/:organization_id/account-requests', [
  requests.list(),
  requests.reviewSeveral({
    description:
      'Approved people get a membership in the requested chapter. Requests are reviewed independently: a refused one does not affect ' +
      'the others.',
  }),

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
      const request = await readRow(AccountRequest, params.id);
      return { ...request, name_matches: await readMatches(request) };
    },
  ),

  requests.review({
    summary: 'Review an account request',
    description:
      'Creating adds the person like a manual addition; an address without an account is invited. Linking makes the address a ' +
      'further address of an account. The account is notified at its other addresses and can remove the link for seven days. Linking requires a recent ' +
      'sign-in, and ends when another organization adds the person.',
    errors: [
      accountRequestErrors.request_unverified,
      accountRequestErrors.possible_duplicate,
      accountRequestErrors.name_mismatch,
      accountRequestErrors.link_not_allowed,
      identityErrors.account_elsewhere,
      identityErrors.account_disabled,
      identityErrors.invitation_open,
      emailErrors.email_exists,
      emailErrors.email_taken,
      emailErrors.email_limit,
      organizationsErrors.membership_exists,
      organizationsErrors.chapter_not_active,
      organizationsErrors.not_in_active_standing,
      organizationsErrors.office_taken,
      refuse.stale_version,
    ],
  }),
]);
