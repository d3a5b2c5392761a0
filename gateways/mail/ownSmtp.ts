/** Mail through a server that an organization chose: on the public internet, and encrypted. */
import { isIP } from 'node:net';
import { config } from '../../config.js';
import { ForbiddenAddress, publicAddressOf } from '../http/guardedFetch.js';
import { type MailPort, MailUnavailable, type Sender } from './port.js';
import { smtpMail } from './smtp.js';

export interface OwnSmtp {
  host: string;
  port: number;
  /** `tls` from the first byte (RFC 8314), `starttls` after a greeting. */
  security: 'tls' | 'starttls';
  username: string | null;
  password: string | null;
}

/**
 * Opens the way through an organization's server. SSO_ALLOW_PRIVATE_ADDRESSES, which is for development, opens private
 * addresses, and those that do not encrypt. @throws MailUnavailable when its name leads nowhere that may be reached
 */
export async function ownSmtp({ host, port, security, username, password }: OwnSmtp, from: Sender): Promise<MailPort> {
  const address = await publicAddressOf(host).catch((error: NodeJS.ErrnoException) => {
    throw new MailUnavailable(
      error instanceof ForbiddenAddress ? 'forbidden_address' : (error.code ?? 'UNKNOWN'),
      false,
    );
  });
  const server = {
    host: address,
    port,
    secure: security === 'tls',
    ...(username !== null && { auth: { user: username, pass: password ?? '' } }),
    tls: isIP(host) ? {} : { servername: host },
  };
  return smtpMail({ server, from: from.address, requireTls: !config.SSO_ALLOW_PRIVATE_ADDRESSES });
}
