import { z } from 'zod';
import { CATEGORIES } from '../../../models/notifications/eventTypes.js';
import { Notification } from '../../../models/notifications/Notification.js';
import { rowJson } from '../../../models/database/model/schemas.js';
import { flag, recordId } from '../../../models/fields.js';
import { pageQuery } from '../../http/pagination.js';

export const NotificationFilters = z.object({
  ...pageQuery,
  category: z.enum(CATEGORIES).optional(),
  requires_action: flag.optional(),
  is_read: flag.optional(),
  before: recordId.optional().meta({ description: 'Id of a notification: the newest 50 before it.' }),
});

export const NotificationJson = z
  .object({
    ...rowJson(Notification).shape,
    is_read: z.boolean(),
    subject: z
      .object({ type: z.string(), id: z.uuid() })
      .meta({ description: 'The row that the notification is about.' }),
    actor: z
      .object({ id: z.uuid(), first_name: z.string(), last_name: z.string() })
      .nullable()
      .meta({ description: 'The person who acted; null if the platform did.' }),
  })
  .meta({ id: 'Notification' });

export const CountJson = z.object({ count: z.int() }).meta({ id: 'NotificationCount' });

export const AlertSummaryJson = z
  .object({
    notifications: z.int().meta({ description: 'Number of unread notifications.' }),
    approvals: z.int().meta({ description: 'Number of requests that wait for a decision of the caller.' }),
    compliance: z.int().meta({ description: 'Number of compliance items that the caller has to work on.' }),
  })
  .meta({ id: 'AlertSummary' });

export const MarkRead = z
  .object({
    notification_ids: z.array(recordId).min(1).max(500).optional(),
    mark_all: z.literal(true).optional(),
  })
  .refine((body) => (body.notification_ids === undefined) !== (body.mark_all === undefined), {
    path: ['notification_ids'],
    message: 'Give either notification_ids or mark_all: true.',
  })
  .meta({ id: 'MarkRead', example: { notification_ids: ['01900000-0000-7000-8000-000000000000'] } });

export const MarkedJson = z
  .object({
    updated: z.int().meta({ description: 'Number of notifications that became read.' }),
    unread_count: z.int(),
  })
  .meta({ id: 'MarkedRead' });
