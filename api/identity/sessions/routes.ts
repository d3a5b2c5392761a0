import { refuse } from '../../../models/errors.js';
import { auditInOrganization } from '../../../models/identity/auditInOrganization.js';
import { listSessions } from '../../../models/identity/listSessions.js';
import { revokeSession } from '../../../models/identity/revokeSessions.js';
import { pageOf, pageRequest, presentPage } from '../../http/pagination.js';
import { Answer, del, get, routes } from '../../http/routes.js';
import { CLEARED_COOKIES } from '../credentials.js';
import { SessionJson, SessionParams, SessionQuery } from './schema.js';

export const sessionRoutes = routes('/api/auth/sessions', [
  get(
    '/',
    {
      summary: 'Where you are signed in',
      access: 'account',
      tags: ['auth'],
      query: SessionQuery,
      response: pageOf(SessionJson),
    },
    async ({ actor, query, request }) =>
      presentPage(await listSessions(actor.userId, pageRequest(query)), query, request, (session) => ({
        ...session,
        is_current: session.id === actor.sessionId,
      })),
  ),

  del(
    '/:id/',
    { summary: 'End one of your sessions', access: 'account', tags: ['auth'], params: SessionParams },
    async ({ actor, params }) => {
      if (!(await revokeSession(actor.userId, params.id, 'revoked'))) throw refuse.not_found();
      await auditInOrganization({ action: 'session.revoked', subjectType: 'session', subjectId: params.id });
      return new Answer(undefined, params.id === actor.sessionId ? { cookies: CLEARED_COOKIES } : {});
    },
  ),
]);
