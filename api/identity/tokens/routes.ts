import { inPlatform } from '../../../models/database/tenancy.js';
import { refuse } from '../../../models/errors.js';
import { identityErrors } from '../../../models/identity/errors.js';
import { revokeSession } from '../../../models/identity/revokeSessions.js';
import { rotateRefreshToken } from '../../../models/identity/rotateRefreshToken.js';
import { switchOrganization } from '../../../models/identity/switchOrganization.js';
import { verifyToken } from '../../../models/identity/tokens.js';
import { claimsOf } from '../../http/authentication.js';
import { Answer, post, routes } from '../../http/routes.js';
import { CLEARED_COOKIES, refreshTokenOf, withTokens } from '../credentials.js';
import { LogoutBody, RefreshBody, SwitchBody, SwitchedJson, TokensJson } from './schema.js';

const REFUSALS = {
  invalid: identityErrors.refresh_token_invalid,
  reused: identityErrors.refresh_token_reused,
  session_ended: identityErrors.session_ended,
  membership_ended: identityErrors.membership_ended,
};

export const tokenRoutes = routes('/api/auth', [
  post(
    '/token/refresh/',
    {
      summary: 'Exchange the refresh token for new tokens',
      description: 'Each refresh token holds for one use. Using one again ends its session.',
      operationId: 'refreshTokens',
      access: 'public',
      throttle: ['token_refresh'],
      tags: ['auth'],
      body: RefreshBody,
      response: TokensJson,
      errors: [refuse.not_authenticated, ...Object.values(REFUSALS)],
    },
    async ({ body, request }) => {
      const token = refreshTokenOf(body, request);
      if (token === null) throw refuse.not_authenticated('Send the refresh token: in its cookie, or in the body.');
      const rotation = await rotateRefreshToken(token);
      if (rotation.outcome !== 'rotated') throw REFUSALS[rotation.outcome]();
      return withTokens({}, rotation.client, rotation.tokens);
    },
  ),

  post(
    '/logout/',
    {
      summary: 'End this session',
      description: 'Takes the access token or, once that has expired, the refresh token. Clears the cookies.',
      operationId: 'logOut',
      access: 'public',
      tags: ['auth'],
      body: LogoutBody,
      errors: [refuse.not_authenticated],
    },
    async ({ body, request }) => {
      const refreshToken = refreshTokenOf(body, request);
      const claims = claimsOf(request.raw) ?? (refreshToken === null ? null : verifyToken(refreshToken, 'refresh'));
      if (!claims) throw refuse.not_authenticated();
      await inPlatform(() => revokeSession(claims.sub, claims.sid, 'logged_out'));
      return new Answer(undefined, { cookies: CLEARED_COOKIES });
    },
  ),

  post(
    '/switch-organization/',
    {
      summary: 'Act in another of your organizations',
      description: 'The session goes on with new tokens, and the next log-in begins there.',
      access: 'account',
      tags: ['auth'],
      body: SwitchBody,
      response: SwitchedJson,
      errors: [refuse.organization_forbidden],
    },
    async ({ actor, body }) => {
      if (actor.isPlatformAdmin)
        throw refuse.organization_forbidden('Platform admins name the organization with X-Organization-Id.');
      const { organization, tokens } = await switchOrganization(actor.userId, actor.sessionId, body.organization);
      return withTokens({ organization }, actor.facts.client, tokens);
    },
  ),
]);
