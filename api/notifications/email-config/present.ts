import type { MailStep } from '../../../gateways/mail/port.js';
import type { EmailConfig } from '../../../models/notifications/settings/emailConfig.js';
import { sendsFrom } from '../../../models/notifications/settings/sendsFrom.js';

type Settings = EmailConfig['settings'];

export const presentSender = ({ from_name, from_email, reply_to }: Settings) => ({ from_name, from_email, reply_to });

export const presentServer = ({
  smtp_host: host,
  smtp_port: port,
  smtp_security: security,
  smtp_username: username,
}: Settings) => (host === null || port === null || security === null ? null : { host, port, security, username });

export const presentEmailConfig = ({ settings, failing }: EmailConfig) => ({
  ...presentSender(settings),
  smtp: presentServer(settings),
  sends_from: sendsFrom(settings),
  failing: failing && { ...failing, step: failing.step as MailStep },
  version: settings.version,
});
