import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import { z } from 'zod';
import { identityErrors } from '../../../models/identity/errors.js';
import { passkeyErrors } from '../../../models/identity/passkeys/errors.js';
import { stepUp } from '../../../models/identity/stepUp.js';
import { moment } from '../../../models/fields.js';
import { AfterCommit, post, routes } from '../../http/routes.js';
import { originOf } from '../../http/origin.js';
import { AuthenticationCredential } from '../passkeys/schema.js';

const StepUpBody = z
  .object({
    password: z.string().max(1024).optional(),
    passkey: AuthenticationCredential.optional().meta({
      description: 'The answer to a challenge of `POST /api/auth/passkeys/authenticate/begin/`.',
    }),
  })
  .refine(({ password, passkey }) => (password === undefined) !== (passkey === undefined), {
    path: ['password'],
    message: 'Send either a password or a passkey.',
  })
  .meta({ id: 'StepUp', example: { password: 'lantern-orbit-maple' } });

const SteppedUpJson = z
  .object({
    auth_method: z.enum(['password', 'passkey']),
    auth_time: moment.meta({ description: 'Time of the authentication; it counts as recent for 15 minutes.' }),
  })
  .meta({ id: 'SteppedUp' });

export const stepUpRoutes = routes('/api/auth/step-up', [
  post(
    '/',
    {
      summary: 'Authenticate again (step-up)',
      description:
        'With the password or a passkey. The session then counts as recently authenticated for 15 minutes, which some ' +
        'routes require (`step_up_required`). The tokens stay the same.',
      operationId: 'stepUp',
      access: 'account',
      confined: 'open',
      throttle: ['auth', 'default_authenticated'],
      tags: ['auth'],
      body: StepUpBody,
      response: SteppedUpJson,
      errors: [
        identityErrors.temporary_password_expired,
        identityErrors.too_many_failures,
        passkeyErrors.passkey_challenge_invalid,
        passkeyErrors.passkey_invalid,
        passkeyErrors.passkey_needs_reenrollment,
      ],
    },
    async ({ actor, body, request }) =>
      // Runs after this request's transaction, because password hashing may wait for a slot and would block a
      // connection.
      new AfterCommit(async () => {
        const proof =
          body.passkey === undefined
            ? { password: body.password as string }
            : { passkey: body.passkey as AuthenticationResponseJSON };
        const auth_time = await stepUp({
          userId: actor.userId,
          sessionId: actor.sessionId,
          organizationId: actor.facts.organization_id,
          proof,
          origin: originOf(request, actor),
        });
        return { auth_method: body.passkey === undefined ? ('password' as const) : ('passkey' as const), auth_time };
      }),
  ),
]);
