import { z } from 'zod';
import { moment } from '../../../models/fields.js';
import { FREQUENCIES } from '../../../models/notifications/digests/DigestPreference.js';
import { CATEGORIES } from '../../../models/notifications/eventTypes.js';

export const DigestJson = z
  .object({
    id: z.uuid(),
    frequency: z.enum(FREQUENCIES),
    period_start: moment,
    period_end: moment,
    summary: z
      .string()
      .nullable()
      .meta({ description: 'Written by the AI service, if the organization allows it to read titles.' }),
    notification_count: z.int(),
    sent_at: moment.nullable().meta({ description: 'When it was mailed; null: not mailed, or not yet.' }),
    created_at: moment,
  })
  .meta({ id: 'NotificationDigest' });

export const DigestDetailJson = DigestJson.extend({
  items: z
    .array(
      z.object({
        id: z.uuid(),
        category: z.enum(CATEGORIES),
        title: z.string(),
        body: z.string(),
        target_url: z.string(),
        action_label: z.string().nullable(),
        created_at: moment,
      }),
    )
    .meta({ description: 'At most 50 items, without those that the caller may not see any more.' }),
}).meta({ id: 'NotificationDigestDetail' });
