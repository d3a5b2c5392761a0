/** Sends mail through a server that an organization chose: on the public internet, and encrypted. */
import { config } from '../../config.js';
import type { MailPort, Sender } from './port.js';
import { smtpMail } from './smtp.js';

export interface OwnSmtp {
  host: string;
  port: number;
  /** How the connection is encrypted. `tls`: from the first byte (RFC 8314); `starttls`: after the greeting. */
  security: 'tls' | 'starttls';
  username: string | null;
  password: string | null;
}

/**
 * Returns the port of an organization's server. SSO_ALLOW_PRIVATE_ADDRESSES, which is for development, allows private
 * addresses and servers without encryption.
 */
export function ownSmtp({ host, port, security, username, password }: OwnSmtp, from: Sender): MailPort {
  return smtpMail({
    chosen: {
      host,
      port,
      secure: security === 'tls',
      ...(username !== null && { auth: { user: username, pass: password ?? '' } }),
    },
    from: from.address,
    requireTls: !config.SSO_ALLOW_PRIVATE_ADDRESSES,
  });
}
