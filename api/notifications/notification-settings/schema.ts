import { z } from 'zod';
import { editBody, rowJson } from '../../../models/database/model/schemas.js';
import { version } from '../../../models/fields.js';
import { EVENT_TYPES } from '../../../models/notifications/eventTypes.js';
import { NotificationSettings } from '../../../models/notifications/settings/NotificationSettings.js';
import { MailServerBody, MailServerJson, SenderEdit, SenderJson, SettingsVersion } from '../email-config/schema.js';
import { channels } from '../preferences/schema.js';

const responseFields = rowJson(NotificationSettings).shape;
const inputFields = editBody(NotificationSettings).shape;

const EventDefault = z
  .strictObject({ event_type: z.enum(EVENT_TYPES), ...channels })
  .meta({ id: 'NotificationDefault' });

export const NotificationSettingsJson = z
  .object({
    sender: SenderJson,
    smtp: MailServerJson,
    push_previews: responseFields.push_previews,
    ai_scope_notifications: responseFields.ai_scope_notifications,
    defaults: z
      .array(EventDefault)
      .meta({ description: 'The default channels of each event type, for members who have not chosen.' }),
    version,
  })
  .meta({ id: 'NotificationSettings' });

export const NotificationSettingsEdit = z
  .object({
    sender: SenderEdit.optional(),
    smtp: MailServerBody.optional(),
    push_previews: inputFields.push_previews,
    ai_scope_notifications: inputFields.ai_scope_notifications,
    defaults: z
      .array(EventDefault)
      .min(1)
      .max(EVENT_TYPES.length)
      .refine(
        (list) => new Set(list.map((entry) => entry.event_type)).size === list.length,
        'Name each event type once.',
      )
      .optional(),
    version: SettingsVersion,
  })
  .meta({ id: 'NotificationSettingsEdit', example: { sender: { reply_to: 'office@example.org' } } });
