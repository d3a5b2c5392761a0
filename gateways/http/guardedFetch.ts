/**
 * HTTP to addresses that a tenant chose. Nothing that is not on the public internet is reached: the address that a name
 * resolves to is checked at the moment of connecting, so that a name cannot resolve to another one afterwards.
 */
import { lookup as resolve } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { Agent, fetch, type RequestInit, type Response } from 'undici';
import { config } from '../../config.js';

const TOTAL_MS = 10_000;
const PART_MS = 5_000;
const LARGEST_BYTES = 1_048_576;

/** What the development switch opens; link-local stays closed, since that is where clouds keep their credentials. */
const OWN_NETWORK = new Set(['loopback', 'private', 'uniqueLocal']);

/** The address must not be reached. */
export class ForbiddenAddress extends Error {
  override readonly name = 'ForbiddenAddress';
  readonly code = 'forbidden_address';
}

/** Whether an address is a public one; IPv4 in IPv6 clothes is what it is, and tunnels to IPv4 are none. */
export function isPublicAddress(address: string, openNetworks = config.SSO_ALLOW_PRIVATE_ADDRESSES): boolean {
  if (!ipaddr.isValid(address)) return false;
  const range = ipaddr.process(address).range();
  return range === 'unicast' || (openNetworks && OWN_NETWORK.has(range));
}

const guardedLookup: LookupFunction = (hostname, options, done) => {
  resolve(hostname, { ...options, all: true }, (error, found) => {
    if (error) return done(error, '', 0);
    const forbidden = found.length === 0 || found.some(({ address }) => !isPublicAddress(address));
    if (forbidden) return done(new ForbiddenAddress(`${hostname} is no public address.`), '', 0);
    const [first] = found as [(typeof found)[number]];
    if (options.all) done(null, found);
    else done(null, first.address, first.family);
  });
};

const agent = new Agent({
  connect: { lookup: guardedLookup, timeout: PART_MS },
  headersTimeout: PART_MS,
  bodyTimeout: PART_MS,
  maxResponseSize: LARGEST_BYTES,
  keepAliveTimeout: 1_000,
  connections: 20,
});

/**
 * As `fetch`, for public addresses only: 10 s in all, 1 MiB at most, redirects are errors.
 * Plain http is for development, with SSO_ALLOW_PRIVATE_ADDRESSES.
 * @throws ForbiddenAddress; TypeError whose cause says what went wrong on the way
 */
export async function guardedFetch(url: string | URL, init: RequestInit = {}): Promise<Response> {
  requireAllowed(new URL(url));
  const deadline = AbortSignal.timeout(TOTAL_MS);
  const signal = init.signal ? AbortSignal.any([init.signal, deadline]) : deadline;
  try {
    return await fetch(url, { ...init, signal, redirect: 'error', dispatcher: agent });
  } catch (error) {
    throw error instanceof TypeError && error.cause instanceof ForbiddenAddress ? error.cause : error;
  }
}

function requireAllowed({ protocol, hostname, username, password }: URL): void {
  const allowed = protocol === 'https:' || (protocol === 'http:' && config.SSO_ALLOW_PRIVATE_ADDRESSES);
  if (!allowed) throw new ForbiddenAddress('Only https is allowed.');
  if (username !== '' || password !== '') throw new ForbiddenAddress('No credentials in an address.');
  // No name, no look-up: a literal is checked here. URL has already turned 0x7f.1 and 2130706433 into 127.0.0.1.
  const literal = hostname.replace(/^\[|\]$/g, '');
  if (ipaddr.isValid(literal) && !isPublicAddress(literal)) throw new ForbiddenAddress('This is no public address.');
}
