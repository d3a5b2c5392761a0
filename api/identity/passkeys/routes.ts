import { dismissEnrollment, readEnrollment } from '../../../models/identity/passkeys/enrollment.js';
import { passkeyErrors } from '../../../models/identity/passkeys/errors.js';
import { listPasskeys, removePasskey, renamePasskey } from '../../../models/identity/passkeys/passkeys.js';
import { pageOf, pageRequest, presentPage } from '../../http/pagination.js';
import { del, get, patch, post, type Route, routes } from '../../http/routes.js';
import { passkeyAuthenticationRoutes } from './authenticationRoutes.js';
import { passkeyRegistrationRoutes } from './registrationRoutes.js';
import { EnrollmentJson, NameBody, PasskeyJson, PasskeyQuery } from './schema.js';
import { RowParams } from '../../http/params.js';

const ownPasskeyRoutes = routes('/api/auth/passkeys', [
  get(
    '/',
    {
      summary: 'Your passkeys',
      description: 'The newest first.',
      access: 'account',
      tags: ['passkeys'],
      query: PasskeyQuery,
      response: pageOf(PasskeyJson),
    },
    async ({ actor, query, request }) =>
      presentPage(await listPasskeys(actor.userId, pageRequest(query)), query, request, (passkey) => passkey),
  ),

  patch(
    '/:id/',
    {
      summary: 'Rename a passkey',
      access: 'account',
      tags: ['passkeys'],
      params: RowParams,
      body: NameBody,
      response: PasskeyJson,
    },
    ({ actor, params, body }) => renamePasskey(actor.userId, params.id, body.name),
  ),

  del(
    '/:id/',
    {
      summary: 'Remove a passkey',
      description: 'The last way to sign in cannot be removed. The person is notified by mail.',
      access: 'account',
      stepUp: 'credentials',
      tags: ['passkeys'],
      params: RowParams,
      errors: [passkeyErrors.last_sign_in_method],
    },
    ({ actor, params }) => removePasskey(actor, params.id),
  ),

  get(
    '/enrollment/',
    {
      summary: 'Whether to suggest registering a passkey',
      operationId: 'getPasskeyEnrollment',
      access: 'account',
      confined: 'open',
      tags: ['passkeys'],
      response: EnrollmentJson,
    },
    ({ actor }) => readEnrollment(actor.userId),
  ),

  post(
    '/enrollment/dismiss/',
    {
      summary: 'Dismiss the passkey suggestion',
      description: 'The suggestion is hidden for 30 days, and permanently once there is a passkey.',
      operationId: 'dismissPasskeyEnrollment',
      access: 'account',
      tags: ['passkeys'],
      response: EnrollmentJson,
    },
    async ({ actor }) => {
      await dismissEnrollment(actor.userId);
      return readEnrollment(actor.userId);
    },
  ),
]);

export const passkeyRoutes: Route[] = [
  ...passkeyRegistrationRoutes,
  ...passkeyAuthenticationRoutes,
  ...ownPasskeyRoutes,
];
