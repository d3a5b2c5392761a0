import { z } from 'zod';
import { editBody, rowJson } from '../../../models/database/model/schemas.js';
import { version } from '../../../models/fields.js';
import { EVENT_TYPES } from '../../../models/notifications/eventTypes.js';
import { NotificationSettings } from '../../../models/notifications/settings/NotificationSettings.js';
import { MailServerBody, MailServerJson, SenderEdit, SenderJson, SettingsVersion } from '../email-config/schema.js';
import { channels } from '../preferences/schema.js';

const shown = rowJson(NotificationSettings).shape;
const given = editBody(NotificationSettings).shape;

const EventDefault = z
  .strictObject({ event_type: z.enum(EVENT_TYPES), ...channels })
  .meta({ id: 'NotificationDefault' });

export const NotificationSettingsJson = z
  .object({
    sender: SenderJson,
    smtp: MailServerJson,
    push_previews: shown.push_previews,
    ai_scope_notifications: shown.ai_scope_notifications,
    defaults: z
      .array(EventDefault)
      .meta({ description: 'What holds for those who have not chosen, for each event type.' }),
    version,
  })
  .meta({ id: 'NotificationSettings' });

export const NotificationSettingsEdit = z
  .object({
    sender: SenderEdit.optional(),
    smtp: MailServerBody.optional(),
    push_previews: given.push_previews,
    ai_scope_notifications: given.ai_scope_notifications,
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
