/** Reads the sender of an organization's mail. */
import { decrypt } from '../../database/encryption.js';
import { currentOrganization, firstRow } from '../../database/rows.js';
import { RowMissing } from '../../errors.js';
import { sendsFrom } from './sendsFrom.js';

/** Returns the encryption context (table, column and row) of the mail server password. */
export const passwordContext = (rowId: string) => ({
  table: 'notification_settings',
  column: 'smtp_password_encrypted',
  rowId,
});

/** The sender and the server with which an organization's mail is sent. */
export interface MailSender {
  organization: { name: string; primaryColor: string | null };
  from: { name: string; address: string };
  replyTo: string | null;
  /** Whether notification titles may be sent to the AI service. */
  aiMayRead: boolean;
  smtp: {
    host: string;
    port: number;
    security: 'tls' | 'starttls';
    username: string | null;
    password: string | null;
  } | null;
  /** Version of the settings that were read. */
  settings: number;
  /** Whether the organization's own server refused mail at the last attempt. */
  isFailing: boolean;
}

interface StoredSender {
  id: string | null;
  name: string;
  primary_color: string | null;
  from_name: string | null;
  from_email: string | null;
  reply_to: string | null;
  platform_sender: string | null;
  ai_scope_notifications: boolean | null;
  smtp_host: string | null;
  smtp_port: number;
  smtp_security: 'tls' | 'starttls';
  smtp_username: string | null;
  smtp_password_encrypted: string | null;
  version: number | null;
  is_failing: boolean;
}

/**
 * Returns the sender of the tenant's mail, with the decrypted password.
 * @throws RowMissing if the organization does not exist
 */
export async function readMailSender(): Promise<MailSender> {
  const stored = await firstRow<StoredSender>(
    `SELECT s.id, o.name, o.primary_color, s.from_name, s.from_email, s.reply_to, s.platform_sender, s.ai_scope_notifications, s.smtp_host, s.smtp_port, s.smtp_security,
            s.smtp_username, s.smtp_password_encrypted, s.version,
            EXISTS (SELECT FROM mail_server_failures f WHERE f.organization_id = o.id) AS is_failing
       FROM organizations o LEFT JOIN notification_settings s ON s.organization_id = o.id WHERE o.id = $1`,
    [currentOrganization()],
  );
  if (!stored) throw new RowMissing('There is no such organization.');
  const { id, smtp_host: host, smtp_password_encrypted: sealed } = stored;
  return {
    organization: { name: stored.name, primaryColor: stored.primary_color },
    from: { name: stored.from_name ?? stored.name, address: sendsFrom(stored) },
    replyTo: stored.reply_to,
    aiMayRead: stored.ai_scope_notifications ?? false,
    smtp: host
      ? {
          host,
          port: stored.smtp_port,
          security: stored.smtp_security,
          username: stored.smtp_username,
          password: id && sealed ? decrypt(sealed, passwordContext(id)) : null,
        }
      : null,
    settings: stored.version ?? 0,
    isFailing: stored.is_failing,
  };
}
