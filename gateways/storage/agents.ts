import http from 'node:http';
import https from 'node:https';
import net, { type LookupFunction } from 'node:net';
import { config } from '../../config.js';
import { ForbiddenAddress, isPublicAddress, publicLookup } from '../http/guardedFetch.js';
import type { S3Agents } from './s3.js';

/**
 * Returns the HTTP agents that connect to a store. They allow public addresses only, except for a host that the
 * operator has allowed.
 * @throws ForbiddenAddress
 */
export function agentsFor(endpoint: string | undefined): Required<S3Agents> {
  const lookup = lookupFor(endpoint);
  const options = { keepAlive: true, maxSockets: 10, ...(lookup && { lookup }) };
  return { httpAgent: new http.Agent(options), httpsAgent: new https.Agent(options) };
}

function lookupFor(endpoint: string | undefined): LookupFunction | undefined {
  if (!endpoint) return publicLookup;
  const { host, hostname, protocol } = new URL(endpoint);
  if (config.STORAGE_ALLOWED_HOSTS.includes(host)) return undefined;
  if (protocol !== 'https:') throw new ForbiddenAddress('Only https is allowed.');
  // An IP literal needs no look-up, so it is checked here.
  const literal = hostname.replace(/^\[|\]$/g, '');
  if (net.isIP(literal) !== 0 && !isPublicAddress(literal, false))
    throw new ForbiddenAddress('This is not a public address.');
  return publicLookup;
}
