import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import { inTenantIfAny } from '../../../models/database/tenancy.js';
import { beginRegistration } from '../../../models/identity/passkeys/beginRegistration.js';
import { requireChallenge, consumeChallenge } from '../../../models/identity/passkeys/challenges.js';
import { storePasskey, verifyRegistration } from '../../../models/identity/passkeys/completeRegistration.js';
import { passkeyErrors } from '../../../models/identity/passkeys/errors.js';
import { ownTransaction } from '../../http/dispatch.js';
import { AfterCommit, post, routes } from '../../http/routes.js';
import { CreationOptionsJson, PasskeyJson, RegisterBody } from './schema.js';

export const passkeyRegistrationRoutes = routes('/api/auth/passkeys/register', [
  post(
    '/begin/',
    {
      summary: 'Begin to register a passkey',
      description:
        'Returns the options for `navigator.credentials.create()`. The challenge is valid for 5 minutes and one use.',
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
      summary: 'Register a passkey',
      description: 'Replaces passkeys that must be registered again. The person is notified by mail.',
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
      const challenge = await consumeChallenge(response.response.clientDataJSON, 'registration', actor.userId);
      // Runs after this request's transaction, so that the challenge is used up even if the verification fails.
      return new AfterCommit(async () => {
        const passkey = await verifyRegistration(response, requireChallenge(challenge));
        const store = () => storePasskey(actor, passkey, body.name);
        return inTenantIfAny(actor.facts.organization_id, store, ownTransaction(request, actor));
      });
    },
  ),
]);
