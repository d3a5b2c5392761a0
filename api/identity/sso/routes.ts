import { z } from 'zod';
import { inPlatform } from '../../../models/database/tenancy.js';
import { refuse } from '../../../models/errors.js';
import { findOrganization } from '../../../models/identity/accounts.js';
import {
  listActiveConnections,
  type DiscoveredConnection,
  discoverByDomain,
} from '../../../models/identity/sso/connections.js';
import { ssoErrors } from '../../../models/identity/sso/errors.js';
import { exchangeCode } from '../../../models/identity/sso/exchangeCode.js';
import { Answer, get, post, routes } from '../../http/routes.js';
import { deviceOf, withTokens } from '../credentials.js';
import { presentAccount } from '../present.js';
import { loginUrlOf } from './oidcProvider.js';
import { originOf } from '../../http/origin.js';
import { clearedFlowCookie, flowTokensOf } from './redirect.js';
import { DiscoveredJson, DiscoverQuery, ExchangeBody, ExchangedJson, ProviderJson } from './schema.js';
import { OrganizationParams } from '../../http/params.js';

const common = { access: 'public', tags: ['sso'] } as const;

const presentProvider = ({ name, provider, kind, slug }: DiscoveredConnection) => ({
  name,
  provider,
  kind,
  slug,
  login_url: loginUrlOf({ kind, slug }),
});

export const ssoRoutes = routes('/api/auth/sso', [
  post(
    '/exchange/',
    {
      ...common,
      summary: 'Exchange the code of a sign-in for a session',
      description:
        'The code is valid for 60 seconds and one use, even a failed one. Browsers need the cookie that the sign-in ' +
        'began with, apps the verifier of their challenge. The session is limited to the organization of the identity provider.',
      operationId: 'exchangeSsoCode',
      signsIn: true,
      throttle: ['sso_exchange'],
      body: ExchangeBody,
      response: ExchangedJson,
      errors: [ssoErrors.sso_code_invalid, ssoErrors.sso_access_ended],
    },
    async ({ body, request }) => {
      const { account, organization, client, tokens, browserHash } = await exchangeCode({
        code: body.code,
        codeVerifier: body.code_verifier ?? null,
        browserTokens: flowTokensOf(request),
        device: deviceOf(request),
        origin: originOf(request),
      });
      const answer = withTokens({ user: presentAccount(account), organization }, client, tokens);
      return new Answer(answer.body, {
        ...answer.extra,
        cookies: [...(answer.extra.cookies ?? []), clearedFlowCookie(browserHash)],
      });
    },
  ),

  get(
    '/discover/',
    {
      ...common,
      summary: 'Identity providers for an e-mail domain',
      operationId: 'discoverSso',
      throttle: ['sso_discovery'],
      query: DiscoverQuery,
      response: DiscoveredJson,
    },
    async ({ query }) => {
      const connections = await inPlatform(() => discoverByDomain((query.email ?? query.domain) as string), {
        readOnly: true,
      });
      return {
        providers: connections.map((connection) => ({
          ...presentProvider(connection),
          organization: { name: connection.organization_name, slug: connection.organization_slug },
        })),
      };
    },
  ),

  get(
    '/organizations/:organization_id/identity-providers/',
    {
      ...common,
      summary: "An organization's identity providers, by name; a bare array",
      operationId: 'listIdentityProviders',
      throttle: ['sso_discovery'],
      params: OrganizationParams,
      response: z.array(ProviderJson),
    },
    async ({ params }) =>
      inPlatform(
        async () => {
          if (!(await findOrganization(params.organization_id))) throw refuse.not_found();
          return (await listActiveConnections(params.organization_id)).map(presentProvider);
        },
        { readOnly: true },
      ),
  ),
]);
