import { refuse } from '../../../models/errors.js';
import type { Actor } from '../../../models/identity/Actor.js';
import { confinedOrganizationId } from '../../../models/identity/confinement.js';
import { listSessions, type SessionRow } from '../../../models/identity/listSessions.js';
import { revokeOtherSessions, revokeSession } from '../../../models/identity/revokeSessions.js';
import { recordSecurityEvent } from '../../../models/identity/securityEvents.js';
import { pageOf, pageRequest, presentPage } from '../../http/pagination.js';
import { Answer, del, get, post, routes } from '../../http/routes.js';
import { CLEARED_COOKIES } from '../credentials.js';
import { RevokedJson, SessionJson, SessionQuery } from './schema.js';
import { RowParams } from '../../http/params.js';

const withCurrentFlag = (actor: Actor) => (session: SessionRow) => ({
  ...session,
  is_current: session.id === actor.sessionId,
});

export const sessionRoutes = routes('/api/auth/sessions', [
  get(
    '/',
    {
      summary: 'Your sessions',
      description: 'A session that an identity provider began lists only sessions of its organization.',
      access: 'account',
      confined: 'open',
      tags: ['auth'],
      query: SessionQuery,
      response: pageOf(SessionJson),
    },
    async ({ actor, query, request }) => {
      const list = { userId: actor.userId, organizationId: confinedOrganizationId(actor), ...pageRequest(query) };
      return presentPage(await listSessions(list), query, request, withCurrentFlag(actor));
    },
  ),

  post(
    '/revoke-others/',
    { summary: 'End your other sessions', access: 'account', confined: 'open', tags: ['auth'], response: RevokedJson },
    async ({ actor }) => {
      const { userId, sessionId } = actor;
      const count = await revokeOtherSessions(userId, sessionId, 'revoked', confinedOrganizationId(actor));
      if (count > 0) await recordSecurityEvent({ userId, kind: 'sessions.revoked', sessionId, details: { count } });
      return { revoked: count };
    },
  ),

  del(
    '/:id/',
    { summary: 'End one of your sessions', access: 'account', confined: 'open', tags: ['auth'], params: RowParams },
    async ({ actor, params }) => {
      const isRevoked = await revokeSession(actor.userId, params.id, 'revoked', confinedOrganizationId(actor));
      if (!isRevoked) throw refuse.not_found();
      await recordSecurityEvent({ userId: actor.userId, kind: 'session.revoked', sessionId: params.id });
      return new Answer(undefined, params.id === actor.sessionId ? { cookies: CLEARED_COOKIES } : {});
    },
  ),
]);
