import { refuse } from '../../../models/errors.js';
import { identityErrors } from '../../../models/identity/errors.js';
import { beginImpersonation } from '../../../models/identity/impersonation/beginImpersonation.js';
import { stopImpersonation } from '../../../models/identity/impersonation/endImpersonation.js';
import { impersonationErrors } from '../../../models/identity/impersonation/errors.js';
import { authenticate } from '../../http/authentication.js';
import { onBehalfOf } from '../../http/claimant.js';
import { authorize, by } from '../../http/policy.js';
import { Answer, post, routes } from '../../http/routes.js';
import { withTokens } from '../credentials.js';
import { TokensJson } from '../tokens/schema.js';
import { backAs } from './back.js';
import { impersonationPolicy } from './policy.js';
import { restoreCookie, restoreTokenOf } from './restoreCookie.js';
import { ImpersonateBody, ImpersonationJson, StopImpersonatingBody } from './schema.js';
import { originOf } from '../../http/origin.js';

export const impersonationRoutes = routes('/api/auth/impersonate', [
  post(
    '/',
    {
      summary: 'See the platform as one of your members',
      rule: by(impersonationPolicy, 'start'),
      description:
        'For admins of the organization itself. The session only reads, and ends after half an hour at the latest; ' +
        'your own goes on behind it. Nobody who administers anything can be seen so, nor whoever is disabled or has a password to change.',
      operationId: 'impersonate',
      access: 'tenant',
      confined: 'open',
      stepUp: 'tenant',
      tags: ['auth'],
      body: ImpersonateBody,
      response: ImpersonationJson,
      errors: [refuse.not_found, impersonationErrors.not_impersonable, identityErrors.invitation_open],
    },
    async ({ actor, body }) => {
      authorize(actor, impersonationPolicy, 'start');
      const { client } = actor.facts;
      const impersonator = { userId: actor.userId, sessionId: actor.sessionId, client };
      const begun = await beginImpersonation(impersonator, body.membership, body.reason);
      const said = {
        membership: begun.membershipId,
        user: begun.userId,
        organization: begun.organizationId,
        ends_at: begun.endsAt.toISOString(),
      };
      const answer = withTokens(said, client, begun.tokens);
      if (client === 'native') return new Answer({ ...answer.body, restore_token: begun.restoreToken });
      return new Answer(answer.body, { cookies: [...(answer.extra.cookies ?? []), restoreCookie(begun.restoreToken)] });
    },
  ),

  post(
    '/stop/',
    {
      summary: 'Go back to your own session',
      description:
        'Takes the access token of the impersonation and its restore token, and answers with your own tokens.',
      operationId: 'stopImpersonating',
      access: 'public',
      throttle: ['token_refresh'],
      tags: ['auth'],
      body: StopImpersonatingBody,
      response: TokensJson,
      errors: [
        refuse.not_authenticated,
        identityErrors.session_ended,
        impersonationErrors.restore_token_invalid,
        impersonationErrors.not_impersonating,
      ],
    },
    async ({ body, request }) => {
      const claims = authenticate(request.raw);
      if (!claims.imp_sid) throw impersonationErrors.not_impersonating();
      const stop = () => stopImpersonation(claims, restoreTokenOf(body, request), originOf(request));
      return backAs(await onBehalfOf(claims, stop), {});
    },
  ),
]);
