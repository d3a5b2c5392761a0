import { refuse } from '../../../models/errors.js';
import type { Actor } from '../../../models/identity/Actor.js';
import { confinedTo } from '../../../models/identity/confinement.js';
import { identityErrors } from '../../../models/identity/errors.js';
import { listTokens, registerToken, removeToken } from '../../../models/notifications/push/tokens.js';
import { pageOf, pageRequest, presentPage } from '../../http/pagination.js';
import { RowParams } from '../../http/params.js';
import { withoutRule } from '../../http/policy.js';
import { Answer, del, get, post, routes } from '../../http/routes.js';
import { PushTokenJson, PushTokenQuery, RegistrationBody } from './schema.js';

const shared = {
  access: 'account',
  impersonation: 'closed',
  rule: withoutRule("A phone is its owner's, whatever the organization."),
  tags: ['notifications'],
} as const;

const holderOf = (actor: Actor) => ({ userId: actor.userId, confinedTo: confinedTo(actor) });

export const pushTokenRoutes = routes('/api/push-tokens', [
  get(
    '/',
    {
      ...shared,
      summary: 'Your phones, the newest first',
      description: 'A session that an identity provider began sees those that hear of its organization alone.',
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
        'At each start of the app, and whenever the gateway gives it another token. It hears until the session that registered ' +
        'it is ended: logging out, ending sessions, another password; not until it runs out. Registered in a session that an ' +
        'identity provider began, it hears of that organization alone. Whoever registered it before has it no more. ' +
        '201: you did not have it; 200: you had.',
      body: RegistrationBody,
      response: PushTokenJson,
      status: 201,
      alsoStatus: [200],
      errors: [identityErrors.session_ended],
    },
    async ({ actor, body }) => {
      const { platform, environment, token, device_name } = body;
      const kept = await registerToken({
        ...holderOf(actor),
        sessionId: actor.sessionId,
        platform,
        environment: environment ?? 'production',
        // APNs takes either case, and the same phone is to be one.
        token: platform === 'ios' ? token.toLowerCase() : token,
        deviceName: device_name ?? null,
      });
      return kept.isNew ? kept.token : new Answer(kept.token, { status: 200 });
    },
  ),

  del(
    '/:id/',
    {
      ...shared,
      summary: 'Send nothing to a phone any more',
      description: 'May be repeated.',
      params: RowParams,
      errors: [refuse.not_found],
    },
    async ({ actor, params }) => removeToken(holderOf(actor), params.id),
  ),
]);
