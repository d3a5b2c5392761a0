import { z } from 'zod';
import { config } from '../../../config.js';
import { MAIL_STEPS } from '../../../gateways/mail/port.js';
import { editBody, rowJson } from '../../../models/database/model/schemas.js';
import { moment, version } from '../../../models/fields.js';
import { NotificationSettings, smtpHost } from '../../../models/notifications/settings/NotificationSettings.js';

const responseFields = rowJson(NotificationSettings).shape;
const inputFields = editBody(NotificationSettings).shape;

/** The sender of the organization's mail. */
export const SenderJson = z.object({
  from_name: responseFields.from_name,
  from_email: responseFields.from_email,
  reply_to: responseFields.reply_to,
});
export const SenderEdit = z.strictObject({
  from_name: inputFields.from_name,
  from_email: inputFields.from_email,
  reply_to: inputFields.reply_to,
});

export const MailServerJson = z
  .object({
    host: z.string(),
    port: z.int(),
    security: z.enum(['tls', 'starttls']),
    username: z.string().nullable(),
  })
  .nullable()
  .meta({ description: "Null: mail goes by the platform's server." });

/**
 * The ports on which mail servers accept mail. Other ports are refused, so that the test cannot probe other services.
 */
const MAIL_PORTS = [25, 465, 587, 2525];

export const MailServerBody = z
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
    username: inputFields.smtp_username,
    password: z
      .string()
      .min(1)
      .max(500)
      .optional()
      .meta({ description: 'If it is left out, the stored password stays.' }),
  })
  .nullable();

export const SettingsVersion = z.int().min(0).max(2_147_483_647).optional().meta({
  description: 'The version that you have read; 0 before the first change. If it is out of date, the response is 409.',
});

const step = z.enum(MAIL_STEPS);
const ANSWER = 'The reply code of the server, or the name of an error.';

export const EmailConfigJson = SenderJson.extend({
  smtp: MailServerJson,
  sends_from: z.string().meta({
    description:
      "The address from which mail is sent: `from_email`, or the platform's address if `from_email` applies only with a server.",
  }),
  failing: z
    .object({ step, answer: z.string().meta({ description: ANSWER }), since: moment, last_tried_at: moment })
    .nullable()
    .meta({ description: 'Set while the server refuses mail: the step that fails, and the last answer.' }),
  version,
}).meta({ id: 'EmailConfig' });

export const EmailConfigPut = SenderEdit.extend({ smtp: MailServerBody.optional(), version: SettingsVersion }).meta({
  id: 'EmailConfigPut',
  example: {
    from_name: 'Northern Star',
    from_email: 'club@example.org',
    reply_to: 'office@example.org',
    smtp: { host: 'smtp.example.org', port: 587, security: 'starttls', username: 'club', password: 'a password' },
  },
});

export const EmailTestJson = z
  .object({
    sent_to: z.string(),
    failed_step: step.nullable().meta({ description: 'Null: the server accepted the mail.' }),
    answer: z.string().nullable().meta({ description: ANSWER }),
  })
  .meta({ id: 'EmailTest', example: { sent_to: 'sam@example.org', failed_step: 'auth', answer: '535' } });
