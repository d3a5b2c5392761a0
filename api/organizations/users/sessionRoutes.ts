import {
  listMemberSessions,
  revokeMemberSession,
  revokeMemberSessions,
} from '../../../models/organizations/users/memberSessions.js';
import { pageOf, pageRequest, presentPage } from '../../http/pagination.js';
import { authorize, by, nationalAdmin, policy } from '../../http/policy.js';
import { del, get, post, routes } from '../../http/routes.js';
import { RevokedJson, SessionJson, SessionQuery } from '../../identity/sessions/schema.js';
import { UserParams, UserSessionParams } from './schema.js';
import { identityErrors } from '../../../models/identity/errors.js';

const memberSessionPolicy = policy('member session', { read: [nationalAdmin], revoke: [nationalAdmin] });

const description = 'Sessions in this organization, of people with a membership in it.';

export const memberSessionRoutes = routes('/api/organizations/:organization_id/users/:user_id/sessions', [
  get(
    '/',
    {
      summary: 'List the sessions of a member',
      rule: by(memberSessionPolicy, 'read'),
      description,
      access: 'tenant',
      tags: ['auth'],
      errors: [identityErrors.invitation_open],
      params: UserParams,
      query: SessionQuery,
      response: pageOf(SessionJson),
    },
    async ({ actor, params, query, request }) => {
      authorize(actor, memberSessionPolicy, 'read');
      const page = await listMemberSessions(params.user_id, pageRequest(query));
      return presentPage(page, query, request, (session) => ({
        ...session,
        is_current: session.id === actor.sessionId,
      }));
    },
  ),

  post(
    '/revoke-all/',
    {
      summary: 'End all sessions of a member',
      rule: by(memberSessionPolicy, 'revoke'),
      description,
      access: 'tenant',
      tags: ['auth'],
      errors: [identityErrors.invitation_open],
      params: UserParams,
      response: RevokedJson,
    },
    async ({ actor, params }) => {
      authorize(actor, memberSessionPolicy, 'revoke');
      return { revoked: await revokeMemberSessions(params.user_id) };
    },
  ),

  del(
    '/:id/',
    {
      summary: 'End one session of a member',
      rule: by(memberSessionPolicy, 'revoke'),
      description,
      access: 'tenant',
      tags: ['auth'],
      errors: [identityErrors.invitation_open],
      params: UserSessionParams,
    },
    async ({ actor, params }) => {
      authorize(actor, memberSessionPolicy, 'revoke');
      await revokeMemberSession(params.user_id, params.id);
    },
  ),
]);
