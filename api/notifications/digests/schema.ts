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
      .meta({ description: 'By the AI service, where the organization lets it read titles.' }),
    notification_count: z.int(),
    sent_at: moment.nullable().meta({ description: 'When it was mailed; null: not, or not yet.' }),
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
    .meta({ description: 'At most 50, and of those what is still there to be seen.' }),
}).meta({ id: 'NotificationDigestDetail' });
