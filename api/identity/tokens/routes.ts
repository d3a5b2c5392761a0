import { refuse } from '../../../models/errors.js';
import { confinementErrors } from '../../../models/identity/confinement.js';
import { identityErrors } from '../../../models/identity/errors.js';
import { impersonationErrors } from '../../../models/identity/impersonation/errors.js';
import { refreshImpersonation } from '../../../models/identity/impersonation/refreshImpersonation.js';
import { logOut } from '../../../models/identity/logOut.js';
import { rotateRefreshToken } from '../../../models/identity/rotateRefreshToken.js';
import { switchOrganization } from '../../../models/identity/switchOrganization.js';
import { verifyToken } from '../../../models/identity/tokens.js';
import { claimsOf } from '../../http/authentication.js';
import { withQuotaOf } from '../../http/quotaKey.js';
import { Answer, post, routes } from '../../http/routes.js';
import { CLEARED_COOKIES, refreshTokenOf, withTokens } from '../credentials.js';
import { originOf } from '../../http/origin.js';
import { answerRestored } from '../impersonation/restoredSession.js';
import { CLEARED_RESTORE_COOKIE, restoreTokenOf } from '../impersonation/restoreCookie.js';
import { LogoutBody, RefreshBody, SwitchBody, SwitchedJson, TokensJson } from './schema.js';

const REFUSALS = {
  invalid: identityErrors.refresh_token_invalid,
  reused: identityErrors.refresh_token_reused,
  session_ended: identityErrors.session_ended,
  provider_due: identityErrors.provider_sign_in_due,
  membership_ended: identityErrors.membership_ended,
};

export const tokenRoutes = routes('/api/auth', [
  post(
    '/token/refresh/',
    {
      summary: 'Exchange the refresh token for new tokens',
      description:
        'Each refresh token is valid for one use. Using it again ends its session, unless `REFRESH_GRACE_SECONDS` is set: ' +
        'within these seconds the last used token gets the same successor again. When an impersonation has ' +
        "ended, the answer is the acting admin's own tokens and the header X-Impersonation-Ended: 1; it needs the restore token.",
      operationId: 'refreshTokens',
      access: 'public',
      throttle: ['token_refresh'],
      tags: ['auth'],
      body: RefreshBody,
      response: TokensJson,
      errors: [refuse.not_authenticated, impersonationErrors.restore_token_invalid, ...Object.values(REFUSALS)],
    },
    async ({ body, request }) => {
      const token = refreshTokenOf(body, request);
      if (token === null)
        throw refuse.not_authenticated('The refresh token is missing. Send it in its cookie or in the body.');
      return withQuotaOf(verifyToken(token, 'refresh'), async () => {
        const refreshed = await refreshImpersonation(token, restoreTokenOf(body, request), originOf(request));
        if (refreshed.outcome !== 'goes_on') return answerRestored(refreshed, {}, { 'X-Impersonation-Ended': '1' });
        const rotation = await rotateRefreshToken(token, originOf(request));
        if (rotation.outcome !== 'rotated') throw REFUSALS[rotation.outcome]();
        return withTokens({}, rotation.client, rotation.tokens);
      });
    },
  ),

  post(
    '/logout/',
    {
      summary: 'End this session',
      description:
        'Send the access token, the refresh token, or both. Their sessions end, and the cookies are cleared.',
      operationId: 'logOut',
      access: 'public',
      // Uses the limit of token refreshes instead of the daily limit, so that logging out works even when a campus has
      // used up its daily limit.
      throttle: ['token_refresh'],
      tags: ['auth'],
      body: LogoutBody,
      errors: [refuse.not_authenticated],
    },
    async ({ body, request }) => {
      const refreshToken = refreshTokenOf(body, request);
      const presented = [claimsOf(request.raw), refreshToken === null ? null : verifyToken(refreshToken, 'refresh')];
      const claims = presented.filter((one) => one !== null);
      if (!claims[0]) throw refuse.not_authenticated();
      await withQuotaOf(claims[0], () => logOut(claims, restoreTokenOf(body, request)));
      const impersonated = claims.some(({ imp_sid }) => imp_sid !== undefined);
      return new Answer(undefined, {
        cookies: impersonated ? [...CLEARED_COOKIES, CLEARED_RESTORE_COOKIE] : CLEARED_COOKIES,
      });
    },
  ),

  post(
    '/switch-organization/',
    {
      summary: 'Act in another of your organizations',
      description: 'The session continues with new tokens, and the next log-in starts in that organization.',
      access: 'account',
      confined: 'open',
      tags: ['auth'],
      body: SwitchBody,
      response: SwitchedJson,
      errors: [refuse.organization_forbidden, confinementErrors.session_confined, identityErrors.sessions_ended_there],
    },
    async ({ actor, body }) => {
      if (actor.isPlatformAdmin)
        throw refuse.organization_forbidden(
          'Platform admins do not switch organizations. Send the id of the organization in the X-Organization-Id header.',
        );
      const { organization, tokens } = await switchOrganization(actor, body.organization);
      return withTokens({ organization }, actor.facts.client, tokens);
    },
  ),
]);
