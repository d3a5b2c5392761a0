import { z } from 'zod';
import { inPlatform } from '../../../models/database/tenancy.js';
import { changePassword } from '../../../models/identity/password/changePassword.js';
import { identityErrors } from '../../../models/identity/errors.js';
import { requestPasswordReset } from '../../../models/identity/password/requestPasswordReset.js';
import { resetPassword } from '../../../models/identity/password/resetPassword.js';
import { emailAddress } from '../../../models/fields.js';
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '../../../models/identity/password/passwordRules.js';
import { dispatchSoon } from '../../http/dispatch.js';
import { AfterCommit, post, routes } from '../../http/routes.js';
import { originOf } from '../../http/origin.js';
import { withTokens } from '../credentials.js';
import { TokensJson } from '../tokens/schema.js';

const newPassword = z
  .string()
  .max(1024)
  .meta({
    description: `${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters, and not easy to guess (zxcvbn score 3 or 4).`,
  });

const ChangePasswordBody = z
  .object({ current_password: z.string().max(1024), new_password: newPassword })
  .meta({ id: 'PasswordChange' });

const ResetRequestBody = z
  .object({ email: emailAddress.meta({ example: 'jordan@example.org' }) })
  .meta({ id: 'PasswordResetRequest' });

const ResetBody = z
  .object({
    token: z.string().min(1).max(200).meta({ description: 'The token in the link of the mail.' }),
    new_password: newPassword,
  })
  .meta({ id: 'PasswordReset' });

export const passwordRoutes = routes('/api/auth/password', [
  post(
    '/change/',
    {
      summary: 'Change your password',
      description: 'Ends all your other sessions; this one continues with new tokens.',
      access: 'account',
      stepUp: 'credentials',
      tags: ['auth'],
      body: ChangePasswordBody,
      response: TokensJson,
      errors: [
        identityErrors.too_many_failures,
        identityErrors.password_changed_meanwhile,
        identityErrors.temporary_password_expired,
      ],
    },
    async ({ actor, body, request }) =>
      // Runs after this request's transaction, because password hashing may wait for a slot and would block a
      // connection.
      new AfterCommit(async () => {
        const tokens = await changePassword({
          userId: actor.userId,
          sessionId: actor.sessionId,
          organizationId: actor.facts.organization_id,
          currentPassword: body.current_password,
          newPassword: body.new_password,
          origin: originOf(request, actor),
          afterCommit: (ids) => void dispatchSoon(ids),
        });
        return withTokens({}, actor.facts.client, tokens);
      }),
  ),

  post(
    '/reset/',
    {
      summary: 'Request a link to set a new password',
      description:
        'The answer and its timing are the same whether or not the address has an account. The link is mailed, valid for one ' +
        'hour and one use, and replaced by the next request.',
      operationId: 'requestPasswordReset',
      access: 'public',
      throttle: ['password_reset', 'password_reset_email'],
      tags: ['auth'],
      body: ResetRequestBody,
    },
    async ({ body, request }) =>
      inPlatform(() => requestPasswordReset(body.email), {
        origin: originOf(request),
      }),
  ),

  post(
    '/reset/confirm/',
    {
      summary: 'Set a new password with the mailed token',
      description: 'Ends all sessions of the account. A refused password does not use up the token.',
      operationId: 'resetPassword',
      access: 'public',
      throttle: ['auth'],
      tags: ['auth'],
      body: ResetBody,
      errors: [identityErrors.reset_token_invalid, identityErrors.password_not_kept],
    },
    async ({ body, request }) => resetPassword(body.token, body.new_password, originOf(request)),
  ),
]);
