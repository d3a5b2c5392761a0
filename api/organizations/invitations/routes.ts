import { refuse } from '../../../models/errors.js';
import type { Actor } from '../../../models/identity/Actor.js';
import { emailErrors } from '../../../models/identity/emails/errors.js';
import { identityErrors } from '../../../models/identity/errors.js';
import { organizationsErrors } from '../../../models/organizations/errors.js';
import { acceptInvitation } from '../../../models/organizations/invitations/acceptInvitation.js';
import { declineByToken } from '../../../models/organizations/invitations/declineInvitation.js';
import { invitationErrors } from '../../../models/organizations/invitations/errors.js';
import {
  acceptOwnInvitation,
  declineOwnInvitation,
  listOwnInvitations,
} from '../../../models/organizations/invitations/ownInvitations.js';
import { ownTransaction } from '../../http/dispatch.js';
import { pageOf, pageRequest, presentPage } from '../../http/pagination.js';
import { AfterCommit, get, post, type RequestFacts, routes } from '../../http/routes.js';
import { AcceptanceBody, DeclineBody, JoinedJson, OwnInvitationJson, OwnInvitationQuery } from './schema.js';
import { RowParams } from '../../http/params.js';

const tags = ['auth'];
const publicly = { access: 'public', throttle: ['auth'], tags } as const;
const { invitation_invalid } = invitationErrors;
const { account_disabled, password_not_kept } = identityErrors;
const { membership_exists } = organizationsErrors;

const mailedInvitationRoutes = routes('/api/auth/invitations', [
  post(
    '/accept/',
    {
      summary: 'Accept an invitation with the mailed token',
      description:
        'The token can be used once; it is valid for 30 days for a membership and 7 days for an office. The account of the address joins; a person without an account ' +
        'chooses a password here. Other open invitations of the organization to this address are accepted too. A password that is ' +
        'refused does not consume the token.',
      operationId: 'acceptInvitation',
      ...publicly,
      body: AcceptanceBody,
      response: JoinedJson,
      errors: [invitation_invalid, account_disabled, membership_exists, password_not_kept],
    },
    async ({ body, request }) => ({
      organization: await acceptInvitation({ ...body, password: body.password, ...ownTransaction(request) }),
    }),
  ),

  post(
    '/decline/',
    {
      summary: 'Decline an invitation with the mailed token',
      description: 'The membership becomes inactive, an office is removed, and the address is erased.',
      operationId: 'declineInvitation',
      ...publicly,
      body: DeclineBody,
      errors: [invitation_invalid],
    },
    async ({ body, request }) => declineByToken(body.token, ownTransaction(request)),
  ),
]);

const invitationAnswer = (actor: Actor, invitationId: string, request: RequestFacts) => ({
  userId: actor.userId,
  invitationId,
  ...ownTransaction(request, actor),
});

const ownInvitationRoutes = routes('/api/auth/me/invitations', [
  get(
    '/',
    {
      summary: 'List invitations to your verified addresses',
      operationId: 'listMyInvitations',
      access: 'account',
      tags,
      query: OwnInvitationQuery,
      response: pageOf(OwnInvitationJson),
      errors: [emailErrors.mailbox_unproven],
    },
    async ({ actor, query, request }) =>
      presentPage(await listOwnInvitations(actor.userId, pageRequest(query)), query, request, (row) => row),
  ),

  post(
    '/:id/accept/',
    {
      summary: 'Accept an invitation',
      description: 'Other open invitations of the organization to this address are accepted too.',
      operationId: 'acceptMyInvitation',
      access: 'account',
      tags,
      params: RowParams,
      response: JoinedJson,
      errors: [refuse.not_found, emailErrors.mailbox_unproven, membership_exists],
    },
    async ({ actor, params, request }) =>
      new AfterCommit(async () => ({
        organization: await acceptOwnInvitation(invitationAnswer(actor, params.id, request)),
      })),
  ),

  post(
    '/:id/decline/',
    {
      summary: 'Decline an invitation',
      operationId: 'declineMyInvitation',
      access: 'account',
      tags,
      params: RowParams,
      errors: [refuse.not_found, emailErrors.mailbox_unproven],
    },
    async ({ actor, params, request }) =>
      new AfterCommit(() => declineOwnInvitation(invitationAnswer(actor, params.id, request))),
  ),
]);

export const invitationRoutes = [...mailedInvitationRoutes, ...ownInvitationRoutes];
