import { z } from 'zod';
import { metadataXml } from '../../../../gateways/saml/messages.js';
import { invalid, refuse } from '../../../../models/errors.js';
import { findNamedSession } from '../../../../models/identity/sso/saml/singleLogout.js';
import { revokeSession } from '../../../../models/identity/revokeSessions.js';
import { readForm } from '../../../http/form.js';
import { AfterCommit, Answer, get, post, routes } from '../../../http/routes.js';
import { CLEARED_COOKIES } from '../../credentials.js';
import { originOf } from '../../../http/origin.js';
import { flowCookies, redirectTo } from '../redirect.js';
import { signInOptionsOf, SamlLoginQuery, SlugParams } from '../schema.js';
import { limitUnsolicitedRounds } from './limitUnsolicitedRounds.js';
import { answerPosted, answerRedirect, startLogOut } from './logOut.js';
import { addressesOf, loadParty } from './party.js';
import { LogoutForm, LogoutJson, logoutQueryFields, ResponseForm } from './schema.js';
import { finishSignOn, startSignOn } from './signOn.js';

const tags = ['sso'];

/** Maximum size of a form, larger than any legitimate response: with dozens of groups, responses have about 30 kB. */
const MAX_FORM_BYTES = 262_144;

/**
 * Accepts unknown parameters, because providers add their own. The handler verifies the raw query, which is what was
 * signed.
 */
const LogoutQuery = z.looseObject(logoutQueryFields).transform((query) => query);

export const samlRoutes = routes('/api/auth/sso/saml', [
  get(
    '/:slug/metadata/',
    {
      operationId: 'readSamlMetadata',
      summary: 'Our metadata for an identity provider, as XML',
      access: 'public',
      tags,
      params: SlugParams,
      status: 200,
      textResponse: 'application/samlmetadata+xml',
      errors: [refuse.not_found],
    },
    async ({ params }) => {
      const { configuration } = await loadParty(params.slug);
      const { sp_certificate: certificate, encryption_keys } = configuration;
      const encryptionCertificate = encryption_keys.find(({ retires_at }) => retires_at === null)?.certificate ?? null;
      const text = metadataXml({ ...addressesOf(params.slug), certificate, encryptionCertificate });
      const headers = { 'Content-Type': 'application/samlmetadata+xml; charset=utf-8' };
      return new Answer(undefined, { headers, text });
    },
  ),

  get(
    '/:slug/login/',
    {
      operationId: 'startSamlSignIn',
      summary: 'Redirect to the identity provider with a signed request',
      description: 'Native clients send both `platform=native` and their PKCE challenge (S256).',
      access: 'public',
      tags,
      params: SlugParams,
      query: SamlLoginQuery,
      status: 302,
      errorsAtCallback: true,
      signsIn: true,
      throttle: ['sso'],
    },
    async ({ params, query, request }) => {
      const roundCookies = query.unsolicited ? await limitUnsolicitedRounds(request, params.slug) : [];
      const { url, browserToken } = await startSignOn(params.slug, signInOptionsOf(query));
      return redirectTo(url, [...roundCookies, ...flowCookies(request, browserToken)]);
    },
  ),

  post(
    '/:slug/acs/',
    {
      operationId: 'receiveSamlResponse',
      summary: 'Receive a response of the identity provider, as a form',
      description: 'Redirects to the callback with a one-time `code`, or with an `error`.',
      access: 'public',
      tags,
      params: SlugParams,
      status: 302,
      errorsAtCallback: true,
      signsIn: true,
      throttle: ['auth'],
      rawBody: true,
      form: ResponseForm,
    },
    async ({ params, request }) => {
      const form = readForm(request, MAX_FORM_BYTES);
      const response = form.get('SAMLResponse');
      if (!response) throw invalid('SAMLResponse', 'Send this field exactly once.');
      const relayState = form.get('RelayState') ?? null;
      return redirectTo(await finishSignOn(params.slug, { response, relayState }, originOf(request)));
    },
  ),

  get(
    '/:slug/sls/',
    {
      operationId: 'receiveSamlLogout',
      summary: 'Receive a signed logout message by HTTP-Redirect',
      access: 'public',
      tags,
      params: SlugParams,
      query: LogoutQuery,
      status: 302,
      errorsAtCallback: true,
      throttle: ['auth'],
    },
    async ({ params, request }) => {
      const query = request.raw.originalUrl.split('?').slice(1).join('?');
      return redirectTo(await answerRedirect(params.slug, query, originOf(request)));
    },
  ),

  post(
    '/:slug/sls/',
    {
      operationId: 'receivePostedSamlLogout',
      summary: 'Receive a signed logout message as a form',
      access: 'public',
      tags,
      params: SlugParams,
      status: 302,
      errorsAtCallback: true,
      throttle: ['auth'],
      rawBody: true,
      form: LogoutForm,
    },
    async ({ params, request }) =>
      redirectTo(await answerPosted(params.slug, readForm(request, MAX_FORM_BYTES), originOf(request))),
  ),

  post(
    '/logout/',
    {
      operationId: 'startSamlLogout',
      summary: 'Log out, and get the address for logging out at the identity provider',
      description: 'The session ends at once. `redirect_to` is null when there is no session to end at the provider.',
      access: 'account',
      confined: 'open',
      tags,
      response: LogoutJson,
    },
    async ({ actor }) => {
      const { session_id: sessionId } = actor.facts;
      const session = await findNamedSession(sessionId);
      await revokeSession(actor.userId, sessionId, 'logged_out');
      return new AfterCommit(async () => {
        const redirect_to = session && (await startLogOut(session));
        return new Answer({ redirect_to }, { cookies: CLEARED_COOKIES });
      });
    },
  ),
]);
