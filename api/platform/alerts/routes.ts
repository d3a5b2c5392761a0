import { publishAlert } from '../../../models/platform/alerts/tellOrganizations.js';
import { post, routes } from '../../http/routes.js';
import { AlertCreate, AlertJson } from './schema.js';

export const platformAlertRoutes = routes('/api/platform/alerts', [
  post(
    '/',
    {
      summary: 'Tell every organization something',
      description: 'Its admins, or everybody who may come in. A process goes through the organizations.',
      access: 'platform',
      stepUp: 'tenant',
      tags: ['platform'],
      body: AlertCreate,
      response: AlertJson,
      status: 201,
    },
    ({ actor, body }) => publishAlert(body, actor.userId),
  ),
]);
