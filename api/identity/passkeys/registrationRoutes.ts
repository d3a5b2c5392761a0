import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import { inTenantIfAny } from '../../../models/database/tenancy.js';
import { beginRegistration } from '../../../models/identity/passkeys/beginRegistration.js';
import { requireChallenge, takeChallenge } from '../../../models/identity/passkeys/challenges.js';
import { keepPasskey, verifyRegistration } from '../../../models/identity/passkeys/completeRegistration.js';
import { passkeyErrors } from '../../../models/identity/passkeys/errors.js';
import { ownTransaction } from '../../http/dispatch.js';
import { AfterCommit, post, routes } from '../../http/routes.js';
import { CreationOptionsJson, PasskeyJson, RegisterBody } from './schema.js';

export const passkeyRegistrationRoutes = routes('/api/auth/passkeys/register', [
  post(
    '/begin/',
    {
      summary: 'Begin to set up a passkey',
      description: 'What `navigator.credentials.create()` is called with. The challenge holds for 5 minutes, once.',
      operationId: 'beginPasskeyRegistration',
      access: 'account',
      stepUp: 'credentials',
      throttle: ['passkey_begin'],
      tags: ['passkeys'],
      response: CreationOptionsJson,
      errors: [passkeyErrors.too_many_passkeys],
    },
    async ({ actor }) => ({ ...(await beginRegistration(actor.userId)) }),
  ),

  post(
    '/complete/',
    {
      summary: 'Set up a passkey',
      description: 'Takes the place of passkeys that had to be set up anew. The account is told by mail.',
      operationId: 'completePasskeyRegistration',
      access: 'account',
      stepUp: 'credentials',
      throttle: ['passkey_complete'],
      tags: ['passkeys'],
      body: RegisterBody,
      response: PasskeyJson,
      status: 201,
      errors: [
        passkeyErrors.passkey_challenge_invalid,
        passkeyErrors.passkey_not_accepted,
        passkeyErrors.passkey_already_registered,
        passkeyErrors.too_many_passkeys,
      ],
    },
    async ({ actor, body, request }) => {
      const response = body.credential as RegistrationResponseJSON;
      const taken = await takeChallenge(response.response.clientDataJSON, 'registration', actor.userId);
      // After this request's transaction: whatever is wrong with the answer, its challenge is used up.
      return new AfterCommit(async () => {
        const passkey = await verifyRegistration(response, requireChallenge(taken));
        const keep = () => keepPasskey(actor, passkey, body.name);
        return inTenantIfAny(actor.facts.organization_id, keep, ownTransaction(request, actor));
      });
    },
  ),
]);
