import type { z } from 'zod';
import type { Statement } from '../../../models/database/rows.js';
import type { PageText } from '../../../models/database/page.js';
import { requirePage } from '../../../models/database/page.js';
import {
  type AlertSummary,
  alertSummary,
  counted,
  countToActOn,
  countUnread,
} from '../../../models/notifications/counts.js';
import { listNotifications } from '../../../models/notifications/listNotifications.js';
import { markedRead, markingRead, markRead } from '../../../models/notifications/markRead.js';
import { pageAsText, pageOf, pageRequest, presentPage } from '../../http/pagination.js';
import { authorize, by } from '../../http/policy.js';
import { get, post, routes } from '../../http/routes.js';
import { notificationPolicy } from './policy.js';
import { AlertSummaryJson, CountJson, MarkedJson, MarkRead, NotificationFilters, NotificationJson } from './schema.js';

const shared = { access: 'tenant', tags: ['notifications'], rule: by(notificationPolicy, 'read') } as const;

const queryOf = (recipientId: string, query: z.output<typeof NotificationFilters>) => ({
  recipientId,
  category: query.category,
  requiresAction: query.requires_action,
  isRead: query.is_read,
  before: query.before,
  ...pageRequest(query),
});

/** A number that clients ask for each minute: one message, and a throttle of its own. */
const count = <Row extends object>(
  path: string,
  summary: string,
  response: z.ZodType<Row, Row>,
  of: (userId: string) => Statement,
) =>
  get(
    path,
    {
      ...shared,
      summary,
      throttle: ['notification_counts'],
      response,
      ahead: {
        statement: ({ userId }) => of(userId),
        answer: ({ actor }, row) => {
          authorize(actor, notificationPolicy, 'read');
          return JSON.stringify(row);
        },
      },
    },
    async ({ actor }) => {
      authorize(actor, notificationPolicy, 'read');
      return counted<Row>(of(actor.userId));
    },
  );

export const notificationRoutes = routes('/api/notifications', [
  get(
    '/',
    {
      ...shared,
      summary: "The caller's notifications, newest first",
      description:
        'The newest 50 that match, in pages: `count` is at most 50. Those before them are asked for with `before`, the id of the last one.',
      query: NotificationFilters,
      response: pageOf(NotificationJson),
      ahead: {
        statement: ({ query, userId }) => listNotifications(queryOf(userId, query)),
        answer: ({ actor, query, request }, row) => {
          authorize(actor, notificationPolicy, 'read');
          return pageAsText(row as unknown as PageText, query, request);
        },
      },
    },
    async ({ actor, query, request }) => {
      authorize(actor, notificationPolicy, 'read');
      const found = await counted<PageText>(listNotifications(queryOf(actor.userId, query)));
      const results = JSON.parse(found.results) as z.output<typeof NotificationJson>[];
      requirePage(query.page, results);
      return presentPage({ count: found.count, results }, query, request, (row) => row);
    },
  ),

  count('/unread_count/', 'How many the caller has not read', CountJson, countUnread),
  count('/action_required_count/', 'How many of these ask for an action', CountJson, countToActOn),
  count<AlertSummary>('/alert-summary/', 'What the header shows', AlertSummaryJson, alertSummary),

  post(
    '/mark_read/',
    {
      ...shared,
      operationId: 'updateReadNotifications',
      summary: 'Mark notifications as read',
      description: "Others' ids and unknown ones change nothing. With `mark_all`, what arrives meanwhile stays unread.",
      rule: by(notificationPolicy, 'write'),
      body: MarkRead,
      response: MarkedJson,
      changesAhead: {
        statement: ({ body, userId }) => markingRead(userId, body.notification_ids ?? null),
        answer: ({ actor }, row) => JSON.stringify(markedRead(actor.userId, actor.organizationId, row)),
      },
    },
    async ({ actor, body }) => {
      authorize(actor, notificationPolicy, 'write');
      return markRead(actor.userId, body.notification_ids ?? null);
    },
  ),
]);
