import { z } from 'zod';
import { readPage, readRow } from '../../../models/database/model/read.js';
import { refuse } from '../../../models/errors.js';
import { PlatformAlert } from '../../../models/platform/alerts/PlatformAlert.js';
import { publishAlertOnce } from '../../../models/platform/alerts/publishAlert.js';
import { createBody, filterFields, rowJson } from '../../../models/database/model/schemas.js';
import { ordering, pageOf, pageQuery, pageRequest, presentPage } from '../../http/pagination.js';
import { RowParams } from '../../http/params.js';
import { Answer, get, post, routes } from '../../http/routes.js';

const AlertCreate = createBody(PlatformAlert);
const AlertJson = rowJson(PlatformAlert);

const AlertsQuery = z.object({
  ...pageQuery,
  ...filterFields(PlatformAlert, ['status', 'audience']),
  // Sorts by id, because ids are UUIDs of version 7, which rise with the time of creation.
  ordering: ordering({ created_at: 'platform_alerts.id' }, '-created_at'),
});

export const platformAlertRoutes = routes('/api/platform/alerts', [
  get(
    '/',
    {
      summary: 'Alerts to all organizations, newest first',
      access: 'platform',
      tags: ['platform'],
      query: AlertsQuery,
      response: pageOf(AlertJson),
    },
    async ({ query, request }) => {
      const { page: _page, page_size: _size, ordering: orderBy, ...where } = query;
      const page = await readPage(PlatformAlert, { where, orderBy, ...pageRequest(query) });
      return presentPage(page, query, request, (row) => row);
    },
  ),

  post(
    '/',
    {
      summary: 'Publish an alert to every organization',
      description:
        'Notifies the admins, or all users, of each organization, in a process. A repeated request with the same idempotency key is answered with 200.',
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
      const { alert, repeated } = await publishAlertOnce(body, actor.userId);
      return new Answer(alert, { status: repeated ? 200 : 201 });
    },
  ),

  get(
    '/:id/',
    {
      summary: 'An alert and its delivery status',
      access: 'platform',
      tags: ['platform'],
      params: RowParams,
      response: AlertJson,
    },
    async ({ params }) => readRow(PlatformAlert, params.id),
  ),
]);
