import { changePassword } from '../../../models/identity/changePassword.js';
import { identityErrors } from '../../../models/identity/errors.js';
import { AfterCommit, post, routes } from '../../http/routes.js';
import { withTokens } from '../credentials.js';
import { TokensJson } from '../tokens/schema.js';
import { ChangePasswordBody } from './schema.js';

export const passwordRoutes = routes('/api/auth/password', [
  post(
    '/change/',
    {
      summary: 'Change your password',
      description: 'Ends all your other sessions; this one goes on with new tokens.',
      access: 'account',
      tags: ['auth'],
      body: ChangePasswordBody,
      response: TokensJson,
      errors: [identityErrors.too_many_failures, identityErrors.password_changed_meanwhile],
    },
    async ({ actor, body, request }) =>
      // After this request's transaction: hashing may have to wait, and would keep a connection waiting with it.
      new AfterCommit(async () => {
        const tokens = await changePassword({
          userId: actor.userId,
          sessionId: actor.sessionId,
          organizationId: actor.facts.organization_id,
          currentPassword: body.current_password,
          newPassword: body.new_password,
          origin: { userId: actor.userId, requestId: request.id, ipAddress: request.ipAddress },
        });
        return withTokens({}, actor.facts.client, tokens);
      }),
  ),
]);
