import { z } from 'zod';
import { refuse } from '../../../models/errors.js';
import { identityErrors } from '../../../models/identity/errors.js';
import { beginImpersonation } from '../../../models/identity/impersonation/beginImpersonation.js';
import { stopImpersonation } from '../../../models/identity/impersonation/endImpersonation.js';
import { impersonationErrors } from '../../../models/identity/impersonation/errors.js';
import { moment } from '../../../models/fields.js';
import { authenticate } from '../../http/authentication.js';
import { withQuotaOf } from '../../http/quotaKey.js';
import { authorize, by, organizationAdmin, policy } from '../../http/policy.js';
import { Answer, post, routes } from '../../http/routes.js';
import { originOf } from '../../http/origin.js';
import { withTokens } from '../credentials.js';
import { TokensJson } from '../tokens/schema.js';
import { tokenFields } from '../schema.js';
import { answerRestored } from './restoredSession.js';
import { restoreCookie, restoreTokenField, restoreTokenOf } from './restoreCookie.js';

const ImpersonateBody = z
  .object({
    membership: z.uuid().toLowerCase().meta({ description: 'An active membership in your organization.' }),
    reason: z
      .string()
      .trim()
      .min(1, 'Must not be empty.')
      .max(500)
      .meta({ description: 'Stored in the audit log.', example: 'They cannot find their invoice.' }),
  })
  .meta({ id: 'Impersonate' });

const StopImpersonatingBody = z.object(restoreTokenField).meta({ id: 'StopImpersonating' });

const ImpersonationJson = z
  .object({
    membership: z.uuid(),
    user: z.uuid(),
    organization: z.uuid(),
    ends_at: moment.meta({ description: 'Half an hour after the start. Refreshing tokens does not extend it.' }),
    ...tokenFields,
    restore_token: z
      .string()
      .optional()
      .meta({ description: 'Native clients only; browsers get a cookie. Restores your own session.' }),
  })
  .meta({ id: 'Impersonation' });

const impersonationPolicy = policy('impersonation', { start: [organizationAdmin] });

export const impersonationRoutes = routes('/api/auth/impersonate', [
  post(
    '/',
    {
      summary: 'Start an impersonation of a member',
      rule: by(impersonationPolicy, 'start'),
      description:
        'For admins of the organization itself. The session is read-only and ends after half an hour at the latest; your own ' +
        'session continues in the background. Admins, disabled members, and members who must change their password cannot be impersonated.',
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
      const started = await beginImpersonation(impersonator, body.membership, body.reason);
      const facts = {
        membership: started.membershipId,
        user: started.userId,
        organization: started.organizationId,
        ends_at: started.endsAt.toISOString(),
      };
      const answer = withTokens(facts, client, started.tokens);
      if (client === 'native') return new Answer({ ...answer.body, restore_token: started.restoreToken });
      return new Answer(answer.body, {
        cookies: [...(answer.extra.cookies ?? []), restoreCookie(started.restoreToken)],
      });
    },
  ),

  post(
    '/stop/',
    {
      summary: 'Stop the impersonation',
      description:
        'Send the access token of the impersonation and its restore token. The answer has the tokens of your own session.',
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
      return answerRestored(await withQuotaOf(claims, stop), {});
    },
  ),
]);
