import { DataTypes } from 'sequelize';
import { z } from 'zod';
import { column, integer, name, oneOf, secret, stamps, tenantKeys, yesOrNo } from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';
import { email, line } from '../../fields.js';
import { notificationErrors } from '../errors.js';

/** How the connection is encrypted: TLS from the beginning (`tls`), or after the SMTP greeting (`starttls`). */
const SECURITY = ['tls', 'starttls'] as const;

const HOST = /^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)*[a-z0-9]([a-z0-9-]*[a-z0-9])?$|^[0-9a-f:.]+$/;
export const smtpHost = z
  .string()
  .trim()
  .toLowerCase()
  .max(253)
  .regex(HOST, 'Must be the name of a server, without scheme and port.');

const address = () => column(DataTypes.TEXT, email, z.string());

/**
 * The settings of an organization for its mail sender and for delivery (spec: OrganizationEmailConfig). The first
 * change creates the row.
 */
export class NotificationSettings extends defineModel({
  table: 'notification_settings',
  subject: 'notification_settings',
  columns: {
    id: tenantKeys.id.hidden(),
    organization_id: tenantKeys.organization_id,
    from_name: name(100).nullable().meta({ example: 'Northern Star' }),
    from_email: address().nullable().meta({
      description:
        'Without `smtp` it applies only if the platform may send for its domain. No other organization can use it then (409 `sender_taken`).',
      example: 'club@example.org',
    }),
    reply_to: address().nullable().meta({ example: 'office@example.org' }),
    smtp_host: column(DataTypes.TEXT, smtpHost, z.string()).nullable().meta({ example: 'smtp.example.org' }),
    smtp_port: integer(1, 65_535).nullable().meta({ example: 587 }),
    smtp_security: oneOf(SECURITY).nullable(),
    smtp_username: column(DataTypes.TEXT, line(254), z.string()).nullable(),
    smtp_password_encrypted: secret().nullable(),
    platform_sender: address().nullable(),
    push_previews: yesOrNo().default(true).meta({ description: 'False: pushes show no text.' }),
    ai_scope_notifications: yesOrNo()
      .default(false)
      .meta({ description: 'True: the AI service may summarize the titles of notifications for digests.' }),
    version: stamps.version,
    created_at: stamps.created_at.hidden(),
    updated_at: stamps.updated_at.hidden(),
  },
  constraints: {
    notification_settings_sender: notificationErrors.sender_needs_smtp,
    notification_settings_one_sender: notificationErrors.sender_taken,
  },
}) {}
