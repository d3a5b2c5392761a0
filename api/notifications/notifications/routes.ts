import type { z } from 'zod';
import type { Statement } from '../../../models/database/rows.js';
import type { PageText } from '../../../models/database/page.js';
import { requirePage } from '../../../models/database/page.js';
import {
  type AlertSummary,
  alertSummary,
  readStatementRow,
  countActionRequired,
  countUnread,
} from '../../../models/notifications/counts.js';
import { listNotifications } from '../../../models/notifications/listNotifications.js';
import { markRead } from '../../../models/notifications/markRead.js';
import { pageAsText, pageOf, pageRequest, presentPage } from '../../http/pagination.js';
import { anyone, authorize, by, policy } from '../../http/policy.js';
import { get, post, routes } from '../../http/routes.js';
import { AlertSummaryJson, CountJson, MarkedJson, MarkRead, NotificationFilters, NotificationJson } from './schema.js';

/** Everybody sees only their own notifications: the recipient is part of every statement. */
export const notificationPolicy = policy('own notifications', { read: [anyone], write: [anyone] });

const shared = { access: 'tenant', tags: ['notifications'], rule: by(notificationPolicy, 'read') } as const;

const queryOf = (recipientId: string, query: z.output<typeof NotificationFilters>) => ({
  recipientId,
  category: query.category,
  requiresAction: query.requires_action,
  isRead: query.is_read,
  before: query.before,
  ...pageRequest(query),
});

/**
 * Defines a route for a count that clients poll each minute. It is answered in one round trip, and has its own
 * throttle.
 */
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
      singleMessageRead: {
        statement: ({ userId }) => of(userId),
        answer: ({ actor }, row) => {
          authorize(actor, notificationPolicy, 'read');
          return JSON.stringify(row);
        },
      },
    },
    async ({ actor }) => {
      authorize(actor, notificationPolicy, 'read');
      return readStatementRow<Row>(of(actor.userId));
    },
  );

export const notificationRoutes = routes('/api/notifications', [
  get(
    '/',
    {
      ...shared,
      summary: "The caller's notifications, newest first",
      description:
        'The newest 50 that match, in pages: `count` is at most 50. For older ones, send the id of the last one as `before`.',
      query: NotificationFilters,
      response: pageOf(NotificationJson),
      singleMessageRead: {
        statement: ({ query, userId }) => listNotifications(queryOf(userId, query)),
        answer: ({ actor, query, request }, row) => {
          authorize(actor, notificationPolicy, 'read');
          return pageAsText(row as unknown as PageText, query, request);
        },
      },
    },
    async ({ actor, query, request }) => {
      authorize(actor, notificationPolicy, 'read');
      const listPage = await readStatementRow<PageText>(listNotifications(queryOf(actor.userId, query)));
      const results = JSON.parse(listPage.results) as z.output<typeof NotificationJson>[];
      requirePage(query.page, results);
      return presentPage({ count: listPage.count, results }, query, request, (row) => row);
    },
  ),

  count('/unread_count/', 'Number of unread notifications of the caller', CountJson, countUnread),
  count(
    '/action_required_count/',
    'Number of unread notifications that require an action',
    CountJson,
    countActionRequired,
  ),
  count<AlertSummary>('/alert-summary/', 'Counts for the header', AlertSummaryJson, alertSummary),

  post(
    '/mark_read/',
    {
      ...shared,
      operationId: 'updateReadNotifications',
      summary: 'Mark notifications as read',
      description:
        'Unknown ids and ids of other people are ignored. With `mark_all`, notifications that arrive meanwhile stay unread.',
      rule: by(notificationPolicy, 'write'),
      body: MarkRead,
      response: MarkedJson,
    },
    async ({ actor, body }) => {
      authorize(actor, notificationPolicy, 'write');
      return markRead(actor.userId, body.notification_ids ?? null);
    },
  ),
]);
