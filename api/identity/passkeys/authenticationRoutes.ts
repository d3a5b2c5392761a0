import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import { inPlatform } from '../../../models/database/tenancy.js';
import { refuse } from '../../../models/errors.js';
import { passkeyErrors } from '../../../models/identity/passkeys/errors.js';
import { beginAuthentication } from '../../../models/identity/passkeys/proveAssertion.js';
import { signInWithPasskey } from '../../../models/identity/passkeys/signInWithPasskey.js';
import { post, routes } from '../../http/routes.js';
import { deviceOf, withTokens } from '../credentials.js';
import { ClientHeader } from '../login/schema.js';
import { presentAccount } from '../present.js';
import { AuthenticateBody, PasskeySignedInJson, RequestOptionsJson } from './schema.js';
import { originOf } from '../../http/origin.js';

export const passkeyAuthenticationRoutes = routes('/api/auth/passkeys/authenticate', [
  post(
    '/begin/',
    {
      summary: 'Begin to sign in with a passkey',
      description:
        'Returns the options for `navigator.credentials.get()`. They name no person, because the passkey identifies its owner. ' +
        'The challenge is valid for 5 minutes and one use.',
      operationId: 'beginPasskeyAuthentication',
      access: 'public',
      signsIn: true,
      throttle: ['passkey_begin'],
      tags: ['passkeys'],
      response: RequestOptionsJson,
    },
    async () => ({ ...(await inPlatform(() => beginAuthentication())) }),
  ),

  post(
    '/complete/',
    {
      summary: 'Sign in with a passkey',
      description:
        'Sets the cookies `access_token` and `refresh_token`; clients that send `X-Client: native` get the tokens in the ' +
        'body instead. A passkey whose counter went back is refused from then on, until a new one replaces it.',
      operationId: 'completePasskeyAuthentication',
      access: 'public',
      signsIn: true,
      throttle: ['passkey_complete'],
      tags: ['passkeys'],
      headers: ClientHeader,
      body: AuthenticateBody,
      response: PasskeySignedInJson,
      errors: [
        passkeyErrors.passkey_challenge_invalid,
        passkeyErrors.passkey_invalid,
        passkeyErrors.passkey_needs_reenrollment,
        refuse.organization_forbidden,
      ],
    },
    async ({ body, request }) => {
      const device = deviceOf(request);
      const { account, organization, tokens } = await signInWithPasskey({
        response: body.credential as AuthenticationResponseJSON,
        organization: body.organization ?? null,
        device,
        origin: originOf(request),
      });
      return withTokens({ user: presentAccount(account), organization }, device.client, tokens);
    },
  ),
]);
