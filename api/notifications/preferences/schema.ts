import { z } from 'zod';
import { createBody, rowJson } from '../../../models/database/model/schemas.js';
import { CATEGORIES, EVENT_TYPES } from '../../../models/notifications/eventTypes.js';
import { NotificationPreference } from '../../../models/notifications/NotificationPreference.js';

const { id: _id, ...shown } = rowJson(NotificationPreference).shape;
export const PreferenceJson = z
  .object({
    ...shown,
    category: z.enum(CATEGORIES),
    locked: z.boolean().meta({ description: 'In-app and mail cannot be switched off.' }),
  })
  .meta({ id: 'NotificationPreference' });

const { event_type, ...ways } = createBody(NotificationPreference).shape;
const one = z.strictObject({ event_type, ...z.object(ways).partial().shape });
export const PreferenceChange = z
  .object({
    ...one.partial().shape,
    preferences: z
      .array(one)
      .min(1)
      .max(EVENT_TYPES.length)
      .refine(
        (list) => new Set(list.map((entry) => entry.event_type)).size === list.length,
        'Name each event type once.',
      )
      .optional(),
  })
  .refine(({ preferences, ...single }) => (preferences === undefined) !== (Object.keys(single).length === 0), {
    path: ['preferences'],
    message: 'Give either one preference or a list of them.',
  })
  .refine(
    ({ event_type: event, ...rest }) =>
      event !== undefined || Object.keys(rest).every((name) => name === 'preferences'),
    {
      path: ['event_type'],
      message: 'Required.',
    },
  )
  .meta({ id: 'NotificationPreferenceChange', example: { event_type: 'mention', push_enabled: false } });
