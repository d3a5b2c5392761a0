import { config } from '../../../config.js';

/** The address in MAIL_FROM. */
const platformAddress = (): string => /([^\s<>]+@[^\s<>]+)>?\s*$/.exec(config.MAIL_FROM)?.[1] ?? config.MAIL_FROM;

interface Sender {
  from_email: string | null;
  /** Null: the platform's server. */
  smtp_host: string | null;
  /** The address that is this organization's alone among those of the platform. */
  platform_sender: string | null;
}

/**
 * The address that mail of an organization comes from: its own by its own server, or one that it has taken of a domain that
 * the platform's server may send for (MAIL_DOMAINS); else the platform's.
 */
export function sendsFrom({ from_email, smtp_host, platform_sender }: Sender): string {
  if (smtp_host !== null && from_email !== null) return from_email;
  const counts = platform_sender !== null && isOfPlatform(platform_sender) && !isPlatformsOwn(platform_sender);
  return counts ? platform_sender : platformAddress();
}

/** Whether the platform's server may send for the address. */
export const isOfPlatform = (address: string): boolean => config.MAIL_DOMAINS.includes(domainOf(address));

/** Whose word the platform's own is, or would be taken for (RFC 2142): it is no organization's. */
const OWN_MAILBOXES = new Set(['abuse', 'hostmaster', 'mailer-daemon', 'postmaster', 'security', 'webmaster']);

export const isPlatformsOwn = (address: string): boolean =>
  address === platformAddress().toLowerCase() || OWN_MAILBOXES.has(address.slice(0, address.lastIndexOf('@')));

const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1).toLowerCase();
