import { z } from 'zod';
import { inPlatform } from '../../../models/database/tenancy.js';
import { refuse } from '../../../models/errors.js';
import { findConnection } from '../../../models/identity/sso/connections.js';
import { readForm } from '../../http/form.js';
import { Answer, get, post, routes } from '../../http/routes.js';
import { backchannelErrors, processLogoutToken } from './backchannelLogout.js';
import { beginOAuth } from './beginOAuth.js';
import { finishOAuth } from './finishOAuth.js';
import { originOf } from '../../http/origin.js';
import { flowCookies, redirectTo } from './redirect.js';
import { signInOptionsOf, LoginQuery, SlugParams } from './schema.js';

const common = {
  access: 'public',
  signsIn: true,
  tags: ['sso'],
  params: SlugParams,
  status: 302,
  errorsAtCallback: true,
} as const;

/** Maximum size of a logout request. A logout token has about 700 bytes. */
const MAX_LOGOUT_BYTES = 16_384;

const optionalParameter = z
  .union([z.string(), z.array(z.string())])
  .optional()
  .meta({ override: { type: 'string' } });

/**
 * Accepts unknown and repeated parameters, because providers add their own and repeat some. Faults are reported at the
 * callback, not as a 400.
 */
const CallbackQuery = z
  .looseObject({ state: optionalParameter, code: optionalParameter, iss: optionalParameter, error: optionalParameter })
  // Without the transform, the validation would make the schema strict.
  .transform((query) => query);

/** Form of a logout request (OpenID Connect Back-Channel Logout 1.0, 2.5). */
const LogoutTokenForm = z
  .looseObject({ logout_token: z.string().meta({ description: 'A JWT that the provider signed.' }) })
  .meta({ id: 'LogoutTokenForm' });

export const oauthRoutes = routes('/api/auth/sso/oauth/:slug', [
  get(
    '/login/',
    {
      ...common,
      summary: 'Sign in with an OAuth identity provider',
      operationId: 'startOauthSignIn',
      description:
        'Redirects to the provider. After its answer, the browser is redirected to the callback of the platform, with a code or an error.',
      throttle: ['sso'],
      query: LoginQuery,
    },
    async ({ params, query, request }) => {
      const connection = await inPlatform(() => findConnection('oauth', params.slug), { readOnly: true });
      if (!connection) throw refuse.not_found();
      const { url, browserToken } = await beginOAuth(connection, signInOptionsOf(query));
      return redirectTo(url, flowCookies(request, browserToken));
    },
  ),

  get(
    '/callback/',
    {
      ...common,
      summary: "Receive an OAuth identity provider's answer",
      operationId: 'receiveOauthCallback',
      description: 'Redirects to the callback of the platform that the sign-in began on, with `code` or `error`.',
      throttle: ['auth'],
      query: CallbackQuery,
    },
    async ({ params, request }) => {
      const search = new URL(request.raw.originalUrl, 'http://callback.invalid').searchParams;
      return redirectTo(await finishOAuth({ slug: params.slug, search, origin: originOf(request) }));
    },
  ),

  post(
    '/backchannel-logout/',
    {
      access: 'public',
      tags: ['sso'],
      params: SlugParams,
      status: 200,
      operationId: 'receiveBackchannelLogout',
      summary: 'Receive a logout token of an OpenID provider, as a form',
      description: 'Ends the sessions that the token names by `sid` or `sub`. A repeated token ends nothing more.',
      throttle: ['sso_logout'],
      rawBody: true,
      form: LogoutTokenForm,
      errors: [
        refuse.not_found,
        refuse.body_too_large,
        refuse.unsupported_media_type,
        backchannelErrors.logout_token_refused,
      ],
    },
    async ({ params, request }) => {
      const token = readForm(request, MAX_LOGOUT_BYTES).get('logout_token') ?? '';
      await processLogoutToken(params.slug, token, originOf(request));
      return new Answer(undefined, { text: '' });
    },
  ),
]);
