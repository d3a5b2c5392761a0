import { config } from '../../../config.js';

/** Returns the address in MAIL_FROM, without the display name. */
const platformAddress = (): string => /([^\s<>]+@[^\s<>]+)>?\s*$/.exec(config.MAIL_FROM)?.[1] ?? config.MAIL_FROM;

interface Sender {
  from_email: string | null;
  /** Host of the organization's own mail server. Null: the platform's server sends the mail. */
  smtp_host: string | null;
  /**
   * An address that is reserved for this organization; the platform's mail server sends for its domain. Null if no
   * address is reserved.
   */
  platform_sender: string | null;
}

/**
 * Returns the sender address of an organization's mail. With a mail server of its own, this is the organization's
 * address. Otherwise it is the organization's reserved address in one of the platform's domains (MAIL_DOMAINS), or the
 * platform's address if none is reserved.
 */
export function sendsFrom({ from_email, smtp_host, platform_sender }: Sender): string {
  if (smtp_host !== null && from_email !== null) return from_email;
  const isUsable = platform_sender !== null && isOfPlatform(platform_sender) && !isReserved(platform_sender);
  return isUsable ? platform_sender : platformAddress();
}

/** Reports whether the platform's server may send for the address. */
export const isOfPlatform = (address: string): boolean => config.MAIL_DOMAINS.includes(domainOf(address));

/**
 * Mailbox names that stand for the operator of a domain (RFC 2142); no organization may use them in the platform's
 * domains.
 */
const RESERVED_MAILBOXES = new Set(['abuse', 'hostmaster', 'mailer-daemon', 'postmaster', 'security', 'webmaster']);

export const isReserved = (address: string): boolean =>
  address === platformAddress().toLowerCase() || RESERVED_MAILBOXES.has(address.slice(0, address.lastIndexOf('@')));

const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1).toLowerCase();
