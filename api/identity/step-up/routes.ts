import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import { identityErrors } from '../../../models/identity/errors.js';
import { passkeyErrors } from '../../../models/identity/passkeys/errors.js';
import { stepUp } from '../../../models/identity/stepUp.js';
import { AfterCommit, post, routes } from '../../http/routes.js';
import { StepUpBody, SteppedUpJson } from './schema.js';
import { originOf } from '../../http/origin.js';

export const stepUpRoutes = routes('/api/auth/step-up', [
  post(
    '/',
    {
      summary: 'Prove again who you are',
      description:
        'With the password or a passkey: the session then counts as recently proven for 15 minutes, which some ' +
        'addresses ask for (`step_up_required`). The tokens stay the same.',
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
      // After this request's transaction: hashing may have to wait, and would keep a connection waiting with it.
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
