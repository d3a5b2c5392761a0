import { z } from 'zod';
import { createBody, rowJson } from '../../../models/database/model/schemas.js';
import { CATEGORIES, EVENT_TYPES, PREFERENCE_CHANNELS } from '../../../models/notifications/eventTypes.js';
import { NotificationPreference } from '../../../models/notifications/NotificationPreference.js';

const { id: _id, event_type, ...chosen } = rowJson(NotificationPreference).shape;

/** The effective value of each channel. */
export const channels = { in_app_enabled: z.boolean(), email_enabled: z.boolean(), push_enabled: z.boolean() };

export const PreferenceJson = z
  .object({
    event_type,
    ...channels,
    chosen: z.object(chosen).meta({
      description: 'What the caller chose for each channel. Null: nothing; the channel follows the default.',
    }),
    category: z.enum(CATEGORIES),
    locked: z.boolean().meta({ description: 'In-app and mail cannot be switched off.' }),
  })
  .meta({ id: 'NotificationPreference' });

const one = z.strictObject(createBody(NotificationPreference).shape);

const choosesChannel = (entry: Partial<Record<keyof typeof channels, unknown>>): boolean =>
  PREFERENCE_CHANNELS.some((way) => entry[`${way}_enabled`] !== undefined);
const NO_CHANNEL = {
  path: ['in_app_enabled'],
  message: 'Give at least one of in_app_enabled, email_enabled and push_enabled.',
};

export const PreferenceChange = z
  .object({
    ...one.partial().shape,
    preferences: z
      .array(one.refine(choosesChannel, NO_CHANNEL))
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
  .refine((body) => body.event_type === undefined || choosesChannel(body), NO_CHANNEL)
  .meta({ id: 'NotificationPreferenceChange', example: { event_type: 'mention', push_enabled: false } });
