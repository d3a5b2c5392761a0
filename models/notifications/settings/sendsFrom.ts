import { config } from '../../../config.js';

/** The address in MAIL_FROM. */
const platformAddress = (): string => /([^\s<>]+@[^\s<>]+)>?\s*$/.exec(config.MAIL_FROM)?.[1] ?? config.MAIL_FROM;

/**
 * The address that mail of an organization comes from: its own by its own server, or where the platform's server may send for
 * its domain (MAIL_DOMAINS); else the platform's.
 */
export const sendsFrom = (fromEmail: string | null, ownServer: boolean): string =>
  fromEmail !== null && (ownServer || config.MAIL_DOMAINS.includes(domainOf(fromEmail)))
    ? fromEmail
    : platformAddress();

const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1).toLowerCase();
