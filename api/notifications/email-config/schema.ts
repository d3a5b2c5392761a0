import { z } from 'zod';
import { config } from '../../../config.js';
import { MAIL_STEPS } from '../../../gateways/mail/port.js';
import { editBody, rowJson } from '../../../models/database/model/schemas.js';
import { moment, version } from '../../../models/fields.js';
import { NotificationSettings, smtpHost } from '../../../models/notifications/settings/NotificationSettings.js';

const shown = rowJson(NotificationSettings).shape;
const given = editBody(NotificationSettings).shape;

/** Whom mail is from. */
export const SenderJson = z.object({
  from_name: shown.from_name,
  from_email: shown.from_email,
  reply_to: shown.reply_to,
});
export const SenderEdit = z.strictObject({
  from_name: given.from_name,
  from_email: given.from_email,
  reply_to: given.reply_to,
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

/** Those on which servers take mail: others are nobody's mail server, and their answers nobody's business. */
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
    username: given.smtp_username,
    password: z.string().min(1).max(500).optional().meta({ description: 'Left out: the one before stays.' }),
  })
  .nullable();

export const SettingsVersion = z.int().min(0).max(2_147_483_647).optional().meta({
  description: 'The version that you have seen, 0 where nobody has changed anything: after a change the answer is 409.',
});

const step = z.enum(MAIL_STEPS);
const ANSWER = 'The reply code of the server, or the name of an error.';

export const EmailConfigJson = SenderJson.extend({
  smtp: MailServerJson,
  sends_from: z.string().meta({
    description:
      "The address that mail comes from: `from_email`, or the platform's where that counts only with a server.",
  }),
  failing: z
    .object({ step, answer: z.string().meta({ description: ANSWER }), since: moment, last_tried_at: moment })
    .nullable()
    .meta({ description: 'While the server takes no mail: at which step, and what it last said.' }),
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
    failed_step: step.nullable().meta({ description: 'Null: the server took the mail.' }),
    answer: z.string().nullable().meta({ description: ANSWER }),
  })
  .meta({ id: 'EmailTest', example: { sent_to: 'sam@example.org', failed_step: 'auth', answer: '535' } });
