import { inTenant } from '../../../models/database/tenancy.js';
import { accountRequestErrors } from '../../../models/organizations/account-requests/errors.js';
import {
  fileAccountRequest,
  VERIFICATION_SECONDS,
} from '../../../models/organizations/account-requests/fileAccountRequest.js';
import { findPublicOrganization } from '../../../models/organizations/account-requests/publicOrganization.js';
import { withdrawAccountRequest } from '../../../models/organizations/account-requests/withdrawAccountRequest.js';
import { requestErrors } from '../../../models/organizations/requests/errors.js';
import { undoLink } from '../../../models/organizations/account-requests/undoLink.js';
import { verifyAccountRequest } from '../../../models/organizations/account-requests/verifyAccountRequest.js';
import { organizationsErrors } from '../../../models/organizations/errors.js';
import { ownTransaction } from '../../http/dispatch.js';
import { post, routes } from '../../http/routes.js';
import { spendAccepted } from '../../http/throttles/spend.js';
import { AccountRequestBody, AccountRequestFiledJson, SlugParams, TokenBody } from './schema.js';

const publicly = { access: 'public', tags: ['organizations'], params: SlugParams } as const;
const { request_token_invalid } = accountRequestErrors;

export const publicAccountRequestRoutes = routes('/api/organizations/public/:slug/account-requests', [
  post(
    '/',
    {
      ...publicly,
      summary: 'Request an account from an organization',
      description:
        'The response is the same for every address; the next step is mailed to it. An organization that accepts no ' +
        'requests returns 404.',
      operationId: 'fileAccountRequest',
      throttle: ['public_form', 'account_request', 'account_request_email'],
      body: AccountRequestBody,
      response: AccountRequestFiledJson,
      status: 202,
      errors: [organizationsErrors.chapter_not_active],
    },
    async ({ params, body, request }) => {
      const organization = await findPublicOrganization(params.slug);
      const file = async () => {
        await fileAccountRequest(organization, body);
        await spendAccepted(request, 'account_request', 'account_request_email');
      };
      await inTenant(organization.id, file, ownTransaction(request));
      return { status: 'unverified' as const, expires_in: VERIFICATION_SECONDS };
    },
  ),

  post(
    '/verify/',
    {
      ...publicly,
      summary: 'Confirm an account request with the mailed token',
      description:
        'The token is valid for 24 hours and can be used once. Admins of the organization see the request after the confirmation.',
      operationId: 'verifyAccountRequest',
      throttle: ['auth'],
      body: TokenBody,
      errors: [request_token_invalid],
    },
    async ({ params, body, request }) => {
      const { id } = await findPublicOrganization(params.slug);
      await inTenant(id, () => verifyAccountRequest(body.token), ownTransaction(request));
    },
  ),

  post(
    '/withdraw/',
    {
      ...publicly,
      summary: 'Withdraw an account request',
      description:
        'Requires the mailed confirmation token. Possible before or after the confirmation, until the request is decided. The entered data is erased. ' +
        'Repeating it changes nothing.',
      operationId: 'withdrawAccountRequest',
      throttle: ['auth'],
      body: TokenBody,
      errors: [request_token_invalid, requestErrors.request_closed],
    },
    async ({ params, body, request }) => {
      const { id } = await findPublicOrganization(params.slug, { alsoClosed: true });
      await inTenant(id, () => withdrawAccountRequest(body.token), ownTransaction(request));
    },
  ),

  post(
    '/undo/',
    {
      ...publicly,
      summary: 'Remove an address that was linked to your account',
      description:
        'Requires the token that was mailed to the previous addresses. It is valid for seven days and can be used once. Sessions begun since the link end.',
      operationId: 'removeLinkedAddress',
      throttle: ['auth'],
      body: TokenBody,
      errors: [request_token_invalid],
    },
    async ({ params, body, request }) => {
      const { id } = await findPublicOrganization(params.slug, { alsoClosed: true });
      await inTenant(id, () => undoLink(body.token), ownTransaction(request));
    },
  ),
]);
