import { refuse } from '../../../models/errors.js';
import { identityErrors } from '../../../models/identity/errors.js';
import { logIn } from '../../../models/identity/logIn.js';
import { post, routes } from '../../http/routes.js';
import { deviceOf, withTokens } from '../credentials.js';
import { presentAccount } from '../present.js';
import { ClientHeader, LoginBody, LoginJson } from './schema.js';
import { originOf } from '../../http/origin.js';

export const loginRoutes = routes('/api/auth/login', [
  post(
    '/',
    {
      summary: 'Sign in',
      description:
        'Sets the cookies `access_token` and `refresh_token`; clients that send `X-Client: native` get the tokens in the body instead. ' +
        'Failed attempts are limited per account and per address; the limits recover with time.',
      operationId: 'logIn',
      access: 'public',
      signsIn: true,
      throttle: ['auth'],
      tags: ['auth'],
      headers: ClientHeader,
      body: LoginBody,
      response: LoginJson,
      errors: [
        identityErrors.invalid_credentials,
        identityErrors.temporary_password_expired,
        identityErrors.too_many_failures,
        refuse.organization_forbidden,
      ],
    },
    async ({ body, request }) => {
      const device = deviceOf(request);
      const { account, organization, tokens } = await logIn({
        ...body,
        organization: body.organization ?? null,
        device,
        origin: originOf(request),
      });
      return withTokens({ user: presentAccount(account), organization }, device.client, tokens);
    },
  ),
]);
