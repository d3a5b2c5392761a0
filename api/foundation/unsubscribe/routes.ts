import { z } from 'zod';
import { refuse, requireFound } from '../../../models/errors.js';
import {
  foundationNameOf,
  openBulletinToken,
  unsubscribeRecipient,
} from '../../../models/foundation/bulletins/unsubscribe.js';
import { get, post, routes } from '../../http/routes.js';
import { requireOneClick } from '../../notifications/unsubscribe/oneClick.js';
import { UnsubscribeForm } from '../../notifications/unsubscribe/routes.js';
import { confirmationPage, resultPage } from './pages.js';

const shared = {
  access: 'public',
  impersonation: 'closed',
  tags: ['foundation'],
  params: z.object({ token: z.string().max(500) }),
  status: 200,
  textResponse: 'text/html',
} as const;

export const bulletinUnsubscribeRoutes = routes('/api/foundation/public/unsubscribe', [
  get(
    '/:token/',
    {
      ...shared,
      throttle: ['public_giving'],
      summary: 'Page that asks whether to unsubscribe from bulletins',
      operationId: 'getBulletinUnsubscribePage',
      errors: [refuse.not_found],
    },
    async ({ params }) => {
      const recipient = requireFound(openBulletinToken(params.token));
      return confirmationPage(requireFound(await foundationNameOf(recipient)));
    },
  ),

  post(
    '/:token/',
    {
      ...shared,
      summary: 'Unsubscribe an address from bulletins',
      description:
        'The target of the `List-Unsubscribe` header of each bulletin and of the page. Accepts `multipart/form-data` as well. May be repeated.',
      operationId: 'unsubscribeFromBulletins',
      rawBody: true,
      form: UnsubscribeForm,
      errors: [refuse.not_found, refuse.unsupported_media_type, refuse.body_too_large],
      // Not throttled: the token is the authorization, and many requests come from the address of one mail provider.
      throttle: [],
    },
    async ({ params, request }) => {
      const recipient = requireFound(openBulletinToken(params.token));
      await requireOneClick(request);
      const foundation = requireFound(await foundationNameOf(recipient));
      await unsubscribeRecipient(recipient);
      return resultPage(foundation);
    },
  ),
]);
