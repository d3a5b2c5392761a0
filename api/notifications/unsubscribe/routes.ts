import { z } from 'zod';
import { requireFound, refuse } from '../../../models/errors.js';
import { organizationNameOf, unsubscribe } from '../../../models/notifications/mail/unsubscribe.js';
import { openUnsubscribeToken } from '../../../models/notifications/mail/unsubscribeTokens.js';
import { get, post, routes } from '../../http/routes.js';
import { ONE_CLICK, requireOneClick } from './oneClick.js';
import { confirmationPage, resultPage } from './page.js';

const shared = {
  access: 'public',
  tags: ['notifications'],
  params: z.object({ token: z.string().max(4_000) }),
  status: 200,
  textResponse: 'text/html',
} as const;

export const UnsubscribeForm = z
  .object({ [ONE_CLICK.field]: z.literal(ONE_CLICK.value) })
  .meta({ id: 'UnsubscribeForm', description: 'The one-click form of mail programs (RFC 8058).' });

export const unsubscribeRoutes = routes('/api/notifications/unsubscribe/:token', [
  get(
    '/',
    {
      ...shared,
      summary: 'Confirmation page to unsubscribe from one kind of mail',
      operationId: 'getUnsubscribePage',
      errors: [refuse.not_found],
    },
    async ({ params }) => {
      const content = requireFound(openUnsubscribeToken(params.token));
      return confirmationPage(requireFound(await organizationNameOf(content)), content.scope);
    },
  ),

  post(
    '/',
    {
      ...shared,
      summary: 'Unsubscribe from one kind of mail',
      description:
        'The target of the unsubscribe link in a mail and of its `List-Unsubscribe` header. Accepts `multipart/form-data` as well. May be repeated.',
      operationId: 'endMailOfKind',
      rawBody: true,
      form: UnsubscribeForm,
      errors: [refuse.not_found, refuse.unsupported_media_type, refuse.body_too_large],
      // Not throttled: the token is the authorization, and many requests come from the address of one mail provider.
      throttle: [],
    },
    async ({ params, request }) => {
      const content = requireFound(openUnsubscribeToken(params.token));
      await requireOneClick(request);
      const organization = requireFound(await organizationNameOf(content));
      await unsubscribe(content);
      return resultPage(organization, content.scope);
    },
  ),
]);
