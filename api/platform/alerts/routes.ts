import { publishOnce } from '../../../models/platform/alerts/tellOrganizations.js';
import { refuse } from '../../../models/errors.js';
import { Answer, post, routes } from '../../http/routes.js';
import { AlertCreate, AlertJson } from './schema.js';

export const platformAlertRoutes = routes('/api/platform/alerts', [
  post(
    '/',
    {
      summary: 'Tell every organization something',
      description:
        'Its admins, or everybody who may come in. A process goes through the organizations. Sent again under its key it is answered with 200.',
      access: 'platform',
      stepUp: 'tenant',
      tags: ['platform'],
      body: AlertCreate,
      response: AlertJson,
      status: 201,
      alsoStatus: [200],
      errors: [refuse.idempotency_mismatch],
    },
    async ({ actor, body }) => {
      const { alert, repeated } = await publishOnce(body, actor.userId);
      return new Answer(alert, { status: repeated ? 200 : 201 });
    },
  ),
]);
