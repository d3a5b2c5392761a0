import { listAccounts, removeAccount } from '../../models/socialnet/accounts.js';
import { socialnetErrors } from '../../models/socialnet/errors.js';
import { beginFlow, FLOW_SECONDS } from '../../models/socialnet/flows.js';
import { platformOf } from '../../models/identity/sso/redirects.js';
import { invalid } from '../../models/errors.js';
import { pageOf, pageRequest, presentPage } from '../http/pagination.js';
import { AfterCommit, del, get, post, routes } from '../http/routes.js';
import { redirectTo } from '../identity/sso/redirect.js';
import { appAddress, BounceQuery } from './bounce.js';
import { completeLink, requireNetwork } from './complete.js';
import { CallbackBody, InitiateBody, InitiatedJson, SocialAccountJson, SocialAccountQuery } from './schema.js';
import { RowParams } from '../http/params.js';

export const socialnetRoutes = routes('/api/socialnet', [
  post(
    '/initiate/',
    {
      summary: 'Start linking an account of the professional network',
      operationId: 'beginSocialnetLink',
      description: 'The platform determines the address to which the network redirects.',
      access: 'account',
      tags: ['socialnet'],
      body: InitiateBody,
      response: InitiatedJson,
      errors: [socialnetErrors.socialnet_not_configured],
    },
    async ({ actor, body }) => {
      const network = requireNetwork();
      const platform = platformOf(body.platform);
      const codeChallenge = body.code_challenge ?? null;
      if (platform === 'native' && codeChallenge === null) throw invalid('code_challenge', 'Required for native apps.');
      const { state, redirectUri } = await beginFlow({ userId: actor.userId, platform, codeChallenge });
      return {
        authorization_url: network.authorizationUrl({ state, redirectUri }),
        state,
        redirect_uri: redirectUri,
        expires_in: FLOW_SECONDS,
      };
    },
  ),

  post(
    '/callback/',
    {
      summary: 'Link the account that the network returned',
      operationId: 'completeSocialnetLink',
      description: 'Every attempt consumes the state, including a refused one.',
      access: 'account',
      tags: ['socialnet'],
      body: CallbackBody,
      response: SocialAccountJson,
      errors: Object.values(socialnetErrors),
    },
    async ({ actor, body, request }) => new AfterCommit(() => completeLink(body, actor, request)),
  ),

  get(
    '/native-callback/',
    {
      summary: 'Redirect from the network to the app',
      operationId: 'forwardSocialnetCallback',
      description: 'Only `code`, `state`, `error` and `error_description` are forwarded.',
      access: 'public',
      tags: ['socialnet'],
      query: BounceQuery,
      status: 302,
    },
    async ({ query }) => redirectTo(appAddress(query)),
  ),

  get(
    '/accounts/',
    {
      summary: 'Accounts of the professional network that are linked to you',
      access: 'account',
      tags: ['socialnet'],
      query: SocialAccountQuery,
      response: pageOf(SocialAccountJson),
    },
    async ({ actor, query, request }) =>
      presentPage(await listAccounts(actor.userId, pageRequest(query)), query, request, (account) => account),
  ),

  del(
    '/accounts/:id/',
    {
      summary: 'Remove a linked account',
      description: 'Deletes its tokens as well.',
      access: 'account',
      tags: ['socialnet'],
      params: RowParams,
    },
    ({ actor, params }) => removeAccount(actor.userId, params.id),
  ),
]);
