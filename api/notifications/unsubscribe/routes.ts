import { z } from 'zod';
import { found, invalid, refuse } from '../../../models/errors.js';
import { organizationNamed, unsubscribe } from '../../../models/notifications/mail/unsubscribe.js';
import { openUnsubscribeToken } from '../../../models/notifications/mail/unsubscribeTokens.js';
import { get, post, routes } from '../../http/routes.js';
import { readForm } from '../../identity/sso/saml/form.js';
import { askingPage, donePage, ONE_CLICK } from './page.js';

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

/** A form has one field. */
const LARGEST_FORM_BYTES = 1_000;

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
      description: 'What the link in a mail and its `List-Unsubscribe` header lead to. Again changes nothing.',
      operationId: 'endMailOfKind',
      rawBody: true,
      form: UnsubscribeForm,
      errors: [refuse.not_found, refuse.unsupported_media_type, refuse.body_too_large],
      // Whoever holds a token may use it; many come from the address of one mail provider.
      throttle: [],
    },
    async ({ params, request }) => {
      const content = found(openUnsubscribeToken(params.token));
      if (readForm(request, LARGEST_FORM_BYTES).get(ONE_CLICK.field) !== ONE_CLICK.value)
        throw invalid(ONE_CLICK.field, `Must be ${ONE_CLICK.value}.`);
      const organization = found(await organizationNamed(content));
      await unsubscribe(content);
      return donePage(organization, content.scope);
    },
  ),
]);
