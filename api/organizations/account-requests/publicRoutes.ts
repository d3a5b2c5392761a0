import { inTenant } from '../../../models/database/tenancy.js';
import { accountRequestErrors } from '../../../models/organizations/account-requests/errors.js';
import {
  fileAccountRequest,
  VERIFICATION_SECONDS,
} from '../../../models/organizations/account-requests/fileAccountRequest.js';
import { publicOrganization } from '../../../models/organizations/account-requests/publicOrganization.js';
import { withdrawAccountRequest } from '../../../models/organizations/account-requests/withdrawAccountRequest.js';
import { requestErrors } from '../../../models/organizations/requests/errors.js';
import { undoLink } from '../../../models/organizations/account-requests/undoLink.js';
import { verifyAccountRequest } from '../../../models/organizations/account-requests/verifyAccountRequest.js';
import { organizationsErrors } from '../../../models/organizations/errors.js';
import { ownTransaction } from '../../http/dispatch.js';
import { post, routes } from '../../http/routes.js';
import { spendAccepted } from '../../http/throttles/spend.js';
import { AccountRequestBody, AskedJson, SlugParams, TokenBody } from './schema.js';

const publicly = { access: 'public', tags: ['organizations'], params: SlugParams } as const;
const { request_token_invalid } = accountRequestErrors;

export const publicAccountRequestRoutes = routes('/api/organizations/public/:slug/account-requests', [
  post(
    '/',
    {
      ...publicly,
      summary: 'Ask an organization for an account',
      description:
        'The answer is the same whatever the address is: a mail to it says what comes next. An organization that takes no ' +
        'requests is not there.',
      operationId: 'fileAccountRequest',
      throttle: ['public_form', 'account_request', 'account_request_email'],
      body: AccountRequestBody,
      response: AskedJson,
      status: 202,
      errors: [organizationsErrors.chapter_not_active],
    },
    async ({ params, body, request }) => {
      const organization = await publicOrganization(params.slug);
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
      summary: 'Confirm a request for an account with the token that was mailed',
      description: 'The token holds for 24 hours, and once. Admins of the organization see the request from then on.',
      operationId: 'verifyAccountRequest',
      throttle: ['auth'],
      body: TokenBody,
      errors: [request_token_invalid],
    },
    async ({ params, body, request }) => {
      const { id } = await publicOrganization(params.slug);
      await inTenant(id, () => verifyAccountRequest(body.token), ownTransaction(request));
    },
  ),

  post(
    '/withdraw/',
    {
      ...publicly,
      summary: 'Take back a request for an account',
      description:
        'With the token that was mailed to confirm it, before that or after, until it is decided. What was typed is erased. ' +
        'Repeating it changes nothing.',
      operationId: 'withdrawAccountRequest',
      throttle: ['auth'],
      body: TokenBody,
      errors: [request_token_invalid, requestErrors.request_closed],
    },
    async ({ params, body, request }) => {
      const { id } = await publicOrganization(params.slug, { alsoClosed: true });
      await inTenant(id, () => withdrawAccountRequest(body.token), ownTransaction(request));
    },
  ),

  post(
    '/undo/',
    {
      ...publicly,
      summary: 'Take back an address that was linked to your account',
      description:
        'With the token that was mailed to the older addresses, for seven days, once. Sessions that were begun since end.',
      operationId: 'removeLinkedAddress',
      throttle: ['auth'],
      body: TokenBody,
      errors: [request_token_invalid],
    },
    async ({ params, body, request }) => {
      const { id } = await publicOrganization(params.slug, { alsoClosed: true });
      await inTenant(id, () => undoLink(body.token), ownTransaction(request));
    },
  ),
]);
