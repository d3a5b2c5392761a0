import { z } from 'zod';
import { found, refuse } from '../../../models/errors.js';
import { organizationNamed, unsubscribe } from '../../../models/notifications/mail/unsubscribe.js';
import { openUnsubscribeToken } from '../../../models/notifications/mail/unsubscribeTokens.js';
import { get, post, routes } from '../../http/routes.js';
import { ONE_CLICK, requireOneClick } from './oneClick.js';
import { askingPage, donePage } from './page.js';

const shared = {
  access: 'public',
  tags: ['notifications'],
  params: z.object({ token: z.string().max(4_000) }),
  status: 200,
  textResponse: 'text/html',
} as const;

const UnsubscribeForm = z
  .object({ [ONE_CLICK.field]: z.literal(ONE_CLICK.value) })
  .meta({ id: 'UnsubscribeForm', description: 'As mail programs send it (RFC 8058).' });

export const unsubscribeRoutes = routes('/api/notifications/unsubscribe/:token', [
  get(
    '/',
    {
      ...shared,
      summary: 'A page that asks whether mail of one kind is to end',
      operationId: 'getUnsubscribePage',
      errors: [refuse.not_found],
    },
    async ({ params }) => {
      const content = found(openUnsubscribeToken(params.token));
      return askingPage(found(await organizationNamed(content)), content.scope);
    },
  ),

  post(
    '/',
    {
      ...shared,
      summary: 'End mail of one kind, as a form',
      description:
        'What the link in a mail and its `List-Unsubscribe` header lead to; as `multipart/form-data`, too. Again changes nothing.',
      operationId: 'endMailOfKind',
      rawBody: true,
      form: UnsubscribeForm,
      errors: [refuse.not_found, refuse.unsupported_media_type, refuse.body_too_large],
      // Whoever holds a token may use it; many come from the address of one mail provider.
      throttle: [],
    },
    async ({ params, request }) => {
      const content = found(openUnsubscribeToken(params.token));
      await requireOneClick(request);
      const organization = found(await organizationNamed(content));
      await unsubscribe(content);
      return donePage(organization, content.scope);
    },
  ),
]);
