import { z } from 'zod';
import { inPlatform } from '../../../models/database/tenancy.js';
import { refuse } from '../../../models/errors.js';
import { findConnection } from '../../../models/identity/sso/connections.js';
import { Answer, get, post, routes } from '../../http/routes.js';
import { backchannelErrors, endByProvider } from './backchannelLogout.js';
import { beginOAuth } from './beginOAuth.js';
import { finishOAuth } from './finishOAuth.js';
import { originOf } from '../../http/origin.js';
import { flowCookies, redirectTo } from './redirect.js';
import { readForm } from './saml/form.js';
import { beginningOf, LoginQuery, SlugParams } from './schema.js';

const common = {
  access: 'public',
  signsIn: true,
  tags: ['sso'],
  params: SlugParams,
  status: 302,
  errorsAtCallback: true,
} as const;

/** A logout token has some 700 bytes. */
const LARGEST_LOGOUT_BYTES = 16_384;

const said = z
  .union([z.string(), z.array(z.string())])
  .optional()
  .meta({ override: { type: 'string' } });

/** Providers add parameters of their own, and say some twice: what is wrong ends at the callback, not in a 400. */
const CallbackQuery = z
  .looseObject({ state: said, code: said, iss: said, error: said })
  // A plain object would be made strict.
  .transform((query) => query);

/** OpenID Connect Back-Channel Logout 1.0, 2.5. */
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
        'Redirects to the provider; the answer ends at the callback of the platform, with a code or an error.',
      throttle: ['sso'],
      query: LoginQuery,
    },
    async ({ params, query, request }) => {
      const connection = await inPlatform(() => findConnection('oauth', params.slug), { readOnly: true });
      if (!connection) throw refuse.not_found();
      const { url, browserToken } = await beginOAuth(connection, beginningOf(query));
      return redirectTo(url, flowCookies(request, browserToken));
    },
  ),

  get(
    '/callback/',
    {
      ...common,
      summary: "Takes an OAuth identity provider's answer",
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
      description:
        'Ends the sessions that the token names by `sid` or `sub`. A token counts once; sent again it ends nothing more.',
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
      const token = readForm(request, LARGEST_LOGOUT_BYTES).get('logout_token') ?? '';
      await endByProvider(params.slug, token, originOf(request));
      return new Answer(undefined, { text: '' });
    },
  ),
]);
