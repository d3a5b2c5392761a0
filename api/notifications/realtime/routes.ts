import { claimsOf } from '../../http/authentication.js';
import { refuseForeignOrigin } from '../../http/browsers.js';
import { httpErrors } from '../../http/errorHandler.js';
import { authorize, by } from '../../http/policy.js';
import { AfterCommit, Answer, get, routes } from '../../http/routes.js';
import { upgradeOf } from '../../http/upgrades.js';
import { refuse } from '../../../models/errors.js';
import { notificationPolicy } from '../notifications/routes.js';
import { connect } from './connect.js';
import { realtimeErrors } from './errors.js';
import { RealtimeQuery } from './schema.js';

export const realtimeRoutes = routes('/api/realtime', [
  get(
    '/',
    {
      operationId: 'connectRealtime',
      summary: 'Open a realtime connection',
      description:
        'A WebSocket for the session and organization of the token. With the cookie, `Origin` must be one of our origins. ' +
        'Messages are described in docs/api/realtime.md.',
      access: 'tenant',
      impersonation: 'closed',
      tags: ['notifications'],
      rule: by(notificationPolicy, 'read'),
      query: RealtimeQuery,
      status: 101,
      errors: [
        refuse.cross_site_request,
        httpErrors.malformed_request,
        realtimeErrors.upgrade_required,
        realtimeErrors.too_many_sockets,
      ],
    },
    async ({ actor, query, request: { raw } }) => {
      authorize(actor, notificationPolicy, 'read');
      refuseForeignOrigin(raw);
      const upgrade = upgradeOf(raw);
      if (!upgrade) throw realtimeErrors.upgrade_required(undefined, undefined, { Upgrade: 'websocket' });
      const { userId, sessionId, organizationId } = actor;
      const holder = { userId, sessionId, organizationId, switches: claimsOf(raw)?.gen ?? 0 };
      return new AfterCommit(async () => {
        connect(raw, upgrade, holder, query.since);
        return new Answer(undefined);
      });
    },
  ),
]);
