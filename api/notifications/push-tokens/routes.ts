import { z } from 'zod';
import { refuse } from '../../../models/errors.js';
import type { Actor } from '../../../models/identity/Actor.js';
import { confinedOrganizationId } from '../../../models/identity/confinement.js';
import { identityErrors } from '../../../models/identity/errors.js';
import { listTokens, registerToken, removeToken } from '../../../models/notifications/push/tokens.js';
import { createBody, rowJson } from '../../../models/database/model/schemas.js';
import { PushToken } from '../../../models/notifications/push/PushToken.js';
import { pageOf, pageQuery, pageRequest, presentPage } from '../../http/pagination.js';
import { RowParams } from '../../http/params.js';
import { withoutRule } from '../../http/policy.js';
import { Answer, del, get, post, routes } from '../../http/routes.js';

/**
 * APNs tokens are hexadecimal; Apple does not specify their length. FCM tokens have letters, digits, `:`, `-` and `_`.
 * No other characters are accepted, because tokens become parts of URLs.
 */
const VALUES = { ios: /^([0-9a-fA-F]{2}){32,100}$/, android: /^[\w:-]{20,4096}$/ };

const RegistrationBody = z
  .object({
    ...createBody(PushToken).shape,
    token: z
      .string()
      .min(1)
      .max(4_096)
      .meta({
        description: 'The token that the gateway issued to the app; hexadecimal for `ios`.',
        example: 'ab'.repeat(32),
      }),
  })
  .refine(({ platform, token }) => VALUES[platform].test(token), {
    path: ['token'],
    message: 'Is not a valid token of this platform.',
  })
  .meta({ id: 'PushTokenRegistration' });

const PushTokenJson = rowJson(PushToken);
const PushTokenQuery = z.object(pageQuery);

const shared = {
  access: 'account',
  impersonation: 'closed',
  rule: withoutRule("A phone is its owner's, whatever the organization."),
  tags: ['notifications'],
} as const;

const holderOf = (actor: Actor) => ({ userId: actor.userId, confinedTo: confinedOrganizationId(actor) });

export const pushTokenRoutes = routes('/api/push-tokens', [
  get(
    '/',
    {
      ...shared,
      summary: 'Your phones, the newest first',
      description:
        'A session from an identity provider sees only the phones that it may use: those registered for its organization.',
      query: PushTokenQuery,
      response: pageOf(PushTokenJson),
    },
    async ({ actor, query, request }) =>
      presentPage(await listTokens(holderOf(actor), pageRequest(query)), query, request, (row) => row),
  ),

  post(
    '/',
    {
      ...shared,
      summary: 'Register a phone for pushes',
      description:
        'Call it at each start of the app, and when the gateway issues another token. The phone gets pushes until the session that registered ' +
        'it is ended by a logout, by ending sessions or by a password change, but not by expiry. A phone that is registered in a session from an ' +
        'identity provider gets pushes of that organization only. A phone that another person registered before is reassigned to you. ' +
        '201: the phone is new for you; 200: you had registered it before.',
      body: RegistrationBody,
      response: PushTokenJson,
      status: 201,
      alsoStatus: [200],
      errors: [identityErrors.session_ended],
    },
    async ({ actor, body }) => {
      const { platform, environment, token, device_name } = body;
      const registration = await registerToken({
        ...holderOf(actor),
        sessionId: actor.sessionId,
        platform,
        environment: environment ?? 'production',
        // APNs accepts both cases; lower case makes them one phone.
        token: platform === 'ios' ? token.toLowerCase() : token,
        deviceName: device_name ?? null,
      });
      return registration.isNew ? registration.token : new Answer(registration.token, { status: 200 });
    },
  ),

  del(
    '/:id/',
    {
      ...shared,
      summary: 'Remove a phone',
      description: 'The phone gets no pushes any more. May be repeated.',
      params: RowParams,
      errors: [refuse.not_found],
    },
    async ({ actor, params }) => removeToken(holderOf(actor), params.id),
  ),
]);
