import { z } from 'zod';
import { config } from '../../../config.js';
import { createBody, editBody, rowJson } from '../../../models/database/model/schemas.js';
import { version } from '../../../models/fields.js';
import { EVENT_TYPES } from '../../../models/notifications/eventTypes.js';
import { NotificationPreference } from '../../../models/notifications/NotificationPreference.js';
import { NotificationSettings, smtpHost } from '../../../models/notifications/settings/NotificationSettings.js';

const shown = rowJson(NotificationSettings).shape;
const given = editBody(NotificationSettings).shape;

const { event_type, in_app_enabled, email_enabled, push_enabled } = createBody(NotificationPreference).shape;
const EventDefault = z
  .strictObject({ event_type, in_app_enabled, email_enabled, push_enabled })
  .meta({ id: 'NotificationDefault' });

export const NotificationSettingsJson = z
  .object({
    sender: z.object({ from_name: shown.from_name, from_email: shown.from_email, reply_to: shown.reply_to }),
    smtp: z
      .object({
        host: z.string(),
        port: z.int(),
        security: z.enum(['tls', 'starttls']),
        username: z.string().nullable(),
      })
      .nullable()
      .meta({ description: "Null: mail goes by the platform's server." }),
    push_previews: shown.push_previews,
    ai_scope_notifications: shown.ai_scope_notifications,
    defaults: z
      .array(EventDefault)
      .meta({ description: 'What holds for those who have not chosen, for each event type.' }),
    version,
  })
  .meta({ id: 'NotificationSettings' });

/** Those on which servers take mail: others are nobody's mail server, and their answers nobody's business. */
const MAIL_PORTS = [25, 465, 587, 2525];

export const NotificationSettingsEdit = z
  .object({
    sender: z
      .strictObject({ from_name: given.from_name, from_email: given.from_email, reply_to: given.reply_to })
      .optional(),
    smtp: z
      .strictObject({
        host: smtpHost.meta({ example: 'smtp.example.org' }),
        port: z
          .int()
          .min(1)
          .max(65_535)
          .refine(
            (port) => MAIL_PORTS.includes(port) || config.SSO_ALLOW_PRIVATE_ADDRESSES,
            `Must be one of ${MAIL_PORTS.join(', ')}.`,
          )
          .meta({ example: 587 }),
        security: z.enum(['tls', 'starttls']),
        username: given.smtp_username,
        password: z.string().min(1).max(500).optional().meta({ description: 'Left out: the one before stays.' }),
      })
      .nullable()
      .optional(),
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
    version: z.int().min(0).max(2_147_483_647).optional().meta({
      description:
        'The version that you have seen, 0 where nobody has changed anything: after a change the answer is 409.',
    }),
  })
  .meta({ id: 'NotificationSettingsEdit', example: { sender: { reply_to: 'office@example.org' } } });
