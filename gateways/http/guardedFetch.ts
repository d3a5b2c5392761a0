/**
 * HTTP to addresses that a tenant chose, protected against SSRF: only public addresses are reached. The resolved
 * address is checked when connecting, so that a name cannot resolve to another one afterwards (DNS rebinding).
 */
import { lookup as resolve } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { Agent, type Dispatcher, request } from 'undici';
import { config, faultOfProviderAddress } from '../../config.js';

const TOTAL_TIMEOUT_MS = 10_000;
const PHASE_TIMEOUT_MS = 5_000;
const MAX_RESPONSE_BYTES = 1_048_576;

/**
 * Address ranges that SSO_ALLOW_PRIVATE_ADDRESSES opens in development. The link-local range stays closed, because
 * cloud metadata services with credentials use it.
 */
const PRIVATE_RANGES = new Set(['loopback', 'private', 'uniqueLocal']);

/** Thrown instead of connecting to an address that is not public. */
export class ForbiddenAddress extends Error {
  override readonly name = 'ForbiddenAddress';
  readonly code = 'forbidden_address';
}

/** Thrown for a response that is not read, because it is compressed or too large. */
export class UnusableAnswer extends Error {
  override readonly name = 'UnusableAnswer';

  constructor(
    readonly code: 'encoded_answer' | 'large_answer',
    text: string,
  ) {
    super(text);
  }
}

/**
 * The global unicast range of IPv6 (RFC 4291, 2.4). Other ranges are reserved, local, IPv4-mapped or IPv4-tunnelled.
 */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
/** An address that Azure's host offers to its virtual machines only. */
const HOST_SERVICES = new Set(['168.63.129.16']);

/**
 * Reports whether an address is public. An IPv4-mapped IPv6 address counts as its IPv4 address; addresses of tunnels
 * are not public.
 */
export function isPublicAddress(address: string, openNetworks = config.SSO_ALLOW_PRIVATE_ADDRESSES): boolean {
  const literal = canonical(address);
  if (!ipaddr.isValid(literal)) return false;
  const parsedAddress = ipaddr.process(literal);
  const range = parsedAddress.range();
  if (openNetworks && PRIVATE_RANGES.has(range)) return true;
  const isGlobal =
    parsedAddress instanceof ipaddr.IPv6
      ? parsedAddress.match(GLOBAL_UNICAST)
      : !HOST_SERVICES.has(parsedAddress.toString());
  return isGlobal && range === 'unicast';
}

/**
 * Returns an IPv6 address in its normal form, for example `::7f00:1` for `::127.0.0.1`. ipaddr.js would read the latter
 * as an IPv4 address, but the connection goes to the IPv6 address.
 */
function canonical(address: string): string {
  if (!address.includes(':')) return address;
  const url = `http://[${address}]`;
  return URL.canParse(url) ? new URL(url).hostname.slice(1, -1) : '';
}

const lookupWithin =
  (isOpen: (address: string) => boolean): LookupFunction =>
  (hostname, options, done) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error, '', 0);
      const forbidden = addresses.length === 0 || addresses.some(({ address }) => !isOpen(address));
      if (forbidden) return done(new ForbiddenAddress(`${hostname} is not a public address.`), '', 0);
      const [first] = addresses as [(typeof addresses)[number]];
      if (options.all) done(null, addresses);
      else done(null, first.address, first.family);
    });
  };

/**
 * The DNS look-up for servers that a tenant chose: refuses addresses that are not public. Node does not call it for IP
 * literals, so the callers check those.
 */
export const guardedLookup = lookupWithin((address) => isPublicAddress(address));

/** A DNS look-up that refuses private addresses even if SSO_ALLOW_PRIVATE_ADDRESSES is set. */
export const publicLookup = lookupWithin((address) => isPublicAddress(address, false));

const agent = new Agent({
  connect: { lookup: guardedLookup, timeout: PHASE_TIMEOUT_MS },
  headersTimeout: PHASE_TIMEOUT_MS,
  bodyTimeout: PHASE_TIMEOUT_MS,
  keepAliveTimeout: 1_000,
  connections: 20,
});

export interface RequestOptions {
  method?: string;
  headers?: Record<string, string>;
  body?: string | URLSearchParams | null;
  signal?: AbortSignal | undefined;
}

/**
 * Works like `fetch`, for public addresses only. It reads the whole body before it returns. The response may take 10 s
 * in total and have 1 MiB. Redirects are errors. Compressed responses are refused: 600 bytes can decompress to 400 MB.
 * Plain http works only in development, with SSO_ALLOW_PRIVATE_ADDRESSES.
 * @throws ForbiddenAddress, UnusableAnswer; TimeoutError; TypeError with the failure as its cause
 */
export async function guardedFetch(url: string | URL, options: RequestOptions = {}): Promise<Response> {
  requireAllowed(new URL(url));
  const deadline = AbortSignal.timeout(TOTAL_TIMEOUT_MS);
  const signal = options.signal ? AbortSignal.any([options.signal, deadline]) : deadline;
  try {
    return await readResponse(await send(url, options, signal));
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ForbiddenAddress || error instanceof UnusableAnswer) throw error;
    throw new TypeError('There is no answer.', { cause: error });
  }
}

// Sends a request without `fetch`, which would decompress the response before its encoding can be checked.
const send = (url: string | URL, { method = 'GET', headers, body }: RequestOptions, signal: AbortSignal) =>
  request(url, {
    method: method as Dispatcher.HttpMethod,
    headers: { ...headers, 'accept-encoding': 'identity' },
    body: body?.toString() ?? null,
    signal,
    dispatcher: agent,
  });

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

async function readResponse({ statusCode: status, headers, body }: Dispatcher.ResponseData): Promise<Response> {
  try {
    if (REDIRECTS.has(status)) throw new TypeError('Redirects are not followed.');
    requireUncompressed(headers['content-encoding']);
    const bytes = await bytesOf(body);
    const headerPairs = Object.entries(headers).flatMap(([name, values]) =>
      [values ?? []].flat().map((value): [string, string] => [name, asBytes(value)]),
    );
    return new Response(bytes.length === 0 ? null : bytes, { status, headers: headerPairs });
  } finally {
    // Closes the connection. This has no effect if the response was read to its end.
    body.on('error', () => undefined).destroy();
  }
}

/** undici decodes headers as UTF-8; a Response expects one character for each byte. */
const asBytes = (value: string): string => Buffer.from(value).toString('latin1');

function requireUncompressed(encoding: string | string[] | undefined): void {
  if (encoding === undefined || encoding.toString().toLowerCase() === 'identity') return;
  throw new UnusableAnswer(
    'encoded_answer',
    'The response is compressed (Content-Encoding), which the request did not allow.',
  );
}

async function bytesOf(body: AsyncIterable<Buffer>): Promise<Buffer<ArrayBuffer>> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of body) {
    size += part.length;
    if (size > MAX_RESPONSE_BYTES) throw new UnusableAnswer('large_answer', 'The response is larger than 1 MiB.');
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function requireAllowed({ href, hostname, username, password }: URL): void {
  if (faultOfProviderAddress(href) === 'insecure') throw new ForbiddenAddress('Only https is allowed.');
  if (username !== '' || password !== '') throw new ForbiddenAddress('No credentials in an address.');
  // An IP literal needs no look-up, so it is checked here. URL has already normalized 0x7f.1 and 2130706433 to
  // 127.0.0.1.
  const literal = hostname.replace(/^\[|\]$/g, '');
  if (ipaddr.isValid(literal) && !isPublicAddress(literal)) throw new ForbiddenAddress('This is not a public address.');
}
