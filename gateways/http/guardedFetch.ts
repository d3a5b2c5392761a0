/**
 * HTTP to addresses that a tenant chose. Nothing that is not on the public internet is reached: the address that a name
 * resolves to is checked at the moment of connecting, so that a name cannot resolve to another one afterwards.
 */
import { lookup as resolve } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { Agent, type Dispatcher, request } from 'undici';
import { config, faultOfProviderAddress } from '../../config.js';

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

/** The answer is none that we read: its message says why. */
export class UnusableAnswer extends Error {
  override readonly name = 'UnusableAnswer';

  constructor(
    readonly code: 'encoded_answer' | 'large_answer',
    said: string,
  ) {
    super(said);
  }
}

/** All that is given out of IPv6 (RFC 4291, 2.4); the rest is reserved, local, or IPv4 in other clothes. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
/** Azure's host answers there, to its guests alone. */
const HOST_SERVICES = new Set(['168.63.129.16']);

/** Whether an address is a public one; IPv4 mapped into IPv6 is what it is, and tunnels to IPv4 are none. */
export function isPublicAddress(address: string, openNetworks = config.SSO_ALLOW_PRIVATE_ADDRESSES): boolean {
  const literal = canonical(address);
  if (!ipaddr.isValid(literal)) return false;
  const given = ipaddr.process(literal);
  const range = given.range();
  if (openNetworks && OWN_NETWORK.has(range)) return true;
  const isGlobal = given instanceof ipaddr.IPv6 ? given.match(GLOBAL_UNICAST) : !HOST_SERVICES.has(given.toString());
  return isGlobal && range === 'unicast';
}

/** `::127.0.0.1` as `::7f00:1`: ipaddr.js would take it for IPv4, which is not where it leads. */
function canonical(address: string): string {
  if (!address.includes(':')) return address;
  const url = `http://[${address}]`;
  return URL.canParse(url) ? new URL(url).hostname.slice(1, -1) : '';
}

const lookupWithin =
  (isOpen: (address: string) => boolean): LookupFunction =>
  (hostname, options, done) => {
    resolve(hostname, { ...options, all: true }, (error, found) => {
      if (error) return done(error, '', 0);
      const forbidden = found.length === 0 || found.some(({ address }) => !isOpen(address));
      if (forbidden) return done(new ForbiddenAddress(`${hostname} is no public address.`), '', 0);
      const [first] = found as [(typeof found)[number]];
      if (options.all) done(null, found);
      else done(null, first.address, first.family);
    });
  };

/** The look-up of what connects to a server that a tenant chose; what is an address already is not looked up. */
export const guardedLookup = lookupWithin((address) => isPublicAddress(address));

/** The same, whatever SSO_ALLOW_PRIVATE_ADDRESSES opens. */
export const publicLookup = lookupWithin((address) => isPublicAddress(address, false));

const agent = new Agent({
  connect: { lookup: guardedLookup, timeout: PART_MS },
  headersTimeout: PART_MS,
  bodyTimeout: PART_MS,
  keepAliveTimeout: 1_000,
  connections: 20,
});

export interface Asking {
  method?: string;
  headers?: Record<string, string>;
  body?: string | URLSearchParams | null;
  signal?: AbortSignal | undefined;
}

/**
 * As `fetch`, for public addresses only: 10 s in all, with the reading of the body, which is here when this returns;
 * 1 MiB at most; redirects are errors. Nothing is unpacked: 600 bytes can be the packed form of 400 MB.
 * Plain http is for development, with SSO_ALLOW_PRIVATE_ADDRESSES.
 * @throws ForbiddenAddress, UnusableAnswer; TimeoutError; TypeError whose cause says what went wrong on the way
 */
export async function guardedFetch(url: string | URL, asking: Asking = {}): Promise<Response> {
  requireAllowed(new URL(url));
  const deadline = AbortSignal.timeout(TOTAL_MS);
  const signal = asking.signal ? AbortSignal.any([asking.signal, deadline]) : deadline;
  try {
    return await finished(await send(url, asking, signal));
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ForbiddenAddress || error instanceof UnusableAnswer) throw error;
    throw new TypeError('There is no answer.', { cause: error });
  }
}

// `fetch` would unpack what comes before anybody sees how it is packed.
const send = (url: string | URL, { method = 'GET', headers, body }: Asking, signal: AbortSignal) =>
  request(url, {
    method: method as Dispatcher.HttpMethod,
    headers: { ...headers, 'accept-encoding': 'identity' },
    body: body?.toString() ?? null,
    signal,
    dispatcher: agent,
  });

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

async function finished({ statusCode: status, headers, body }: Dispatcher.ResponseData): Promise<Response> {
  try {
    if (REDIRECTS.has(status)) throw new TypeError('Redirects are not followed.');
    requirePlain(headers['content-encoding']);
    const bytes = await bytesOf(body);
    const given = Object.entries(headers).flatMap(([name, values]) =>
      [values ?? []].flat().map((value): [string, string] => [name, asBytes(value)]),
    );
    return new Response(bytes.length === 0 ? null : bytes, { status, headers: given });
  } finally {
    // Its connection goes with it, unless all of it was read.
    body.on('error', () => undefined).destroy();
  }
}

/** undici has read a header as UTF-8, and a Response takes one character a byte. */
const asBytes = (value: string): string => Buffer.from(value).toString('latin1');

function requirePlain(encoding: string | string[] | undefined): void {
  if (encoding === undefined || encoding.toString().toLowerCase() === 'identity') return;
  throw new UnusableAnswer('encoded_answer', 'The answer is packed (Content-Encoding), and none was asked for.');
}

async function bytesOf(body: AsyncIterable<Buffer>): Promise<Buffer<ArrayBuffer>> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of body) {
    size += part.length;
    if (size > LARGEST_BYTES) throw new UnusableAnswer('large_answer', 'The answer has more than 1 MiB.');
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function requireAllowed({ href, hostname, username, password }: URL): void {
  if (faultOfProviderAddress(href) === 'insecure') throw new ForbiddenAddress('Only https is allowed.');
  if (username !== '' || password !== '') throw new ForbiddenAddress('No credentials in an address.');
  // No name, no look-up: a literal is checked here. URL has already turned 0x7f.1 and 2130706433 into 127.0.0.1.
  const literal = hostname.replace(/^\[|\]$/g, '');
  if (ipaddr.isValid(literal) && !isPublicAddress(literal)) throw new ForbiddenAddress('This is no public address.');
}
