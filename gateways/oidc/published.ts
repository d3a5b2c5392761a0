/**
 * A bounded cache of the documents and keys that providers publish. The response headers determine how long an entry is
 * kept (RFC 9111).
 */
import { guardedFetch } from '../http/guardedFetch.js';

/** Minimum lifetime of a cached document: a provider that forbids caching is still requested at most once a minute. */
const MIN_TTL_MS = 60_000;
const MAX_TTL_MS = 24 * 3_600_000;
/** Lifetime of a cached document if its response has no header about caching. */
const DEFAULT_TTL_MS = 5 * 60_000;
/**
 * Minimum interval between refreshes that a token with an unknown key causes. Without it, forged tokens could cause any
 * number of requests to the provider.
 */
const MIN_REFRESH_MS = 60_000;

const MAX_ENTRIES = 500;
const MAX_CHARACTERS = 65_536;

interface CacheEntry {
  text: string;
  type: string;
  etag: string | null;
  freshUntilMs: number;
  requestedAtMs: number;
}

const cache = new Map<string, CacheEntry>();
const pendingRequests = new Map<string, Promise<CacheEntry | Response>>();

/**
 * Returns a published document, from the cache if it is fresh.
 * @param revision the revision of the settings; a new revision makes the cached documents unusable. Null: the cache is
 * not used
 * @throws the errors of `guardedFetch`
 */
export async function readPublished(revision: string | null, url: string): Promise<Response> {
  const key = `${revision}\n${url}`;
  const entry = cache.get(key);
  if (revision !== null && entry && entry.freshUntilMs > Date.now()) return answerOf(entry);
  return answerOf(await fetchShared(revision === null ? null : key, url));
}

/**
 * Fetches a document again, because the cached one lacks a key. Returns the cached document if it was fetched only a
 * moment ago.
 */
export async function refreshPublished(revision: string | null, url: string): Promise<Response> {
  const key = `${revision}\n${url}`;
  const entry = cache.get(key);
  if (entry && Date.now() - entry.requestedAtMs < MIN_REFRESH_MS) return answerOf(entry);
  return answerOf(await fetchShared(revision === null ? null : key, url));
}

const answerOf = (result: CacheEntry | Response): Response =>
  result instanceof Response
    ? result.clone()
    : new Response(result.text, { status: 200, headers: { 'Content-Type': result.type } });

/** Shares one request among concurrent callers. */
function fetchShared(key: string | null, url: string): Promise<CacheEntry | Response> {
  if (key === null) return guardedFetch(url, { headers: ACCEPT });
  const pending = pendingRequests.get(key);
  if (pending) return pending;
  const request = fetchAndStore(key, url).finally(() => pendingRequests.delete(key));
  pendingRequests.set(key, request);
  return request;
}

const ACCEPT = { Accept: 'application/json' };

async function fetchAndStore(key: string, url: string): Promise<CacheEntry | Response> {
  const entry = cache.get(key);
  const condition = entry?.etag ? { 'If-None-Match': entry.etag } : {};
  const response = await guardedFetch(url, { headers: { ...ACCEPT, ...condition } });
  if (entry && response.status === 304) return store(key, { ...entry, ...timesOf(response.headers) });
  if (response.status !== 200) return response;
  const text = await response.clone().text();
  if (text.length > MAX_CHARACTERS) return response;
  const type = response.headers.get('content-type') ?? 'application/json';
  return store(key, { text, type, etag: response.headers.get('etag'), ...timesOf(response.headers) });
}

function store(key: string, entry: CacheEntry): CacheEntry {
  cache.delete(key);
  cache.set(key, entry);
  const [oldest] = cache.keys();
  if (cache.size > MAX_ENTRIES && oldest !== undefined) cache.delete(oldest);
  return entry;
}

function timesOf(headers: Headers): Pick<CacheEntry, 'freshUntilMs' | 'requestedAtMs'> {
  const now = Date.now();
  const ttlMs = Math.min(Math.max(lifetimeOf(headers, now), MIN_TTL_MS), MAX_TTL_MS);
  return { requestedAtMs: now, freshUntilMs: now + ttlMs };
}

/**
 * Returns how long a response may be cached, in milliseconds. `max-age` takes precedence over `Expires` (RFC 9111,
 * 5.3).
 */
function lifetimeOf(headers: Headers, now: number): number {
  const control = (headers.get('cache-control') ?? '').toLowerCase();
  if (/\bno-(?:store|cache)\b/.test(control)) return 0;
  const seconds = /\bmax-age\s*=\s*"?(\d{1,9})/.exec(control)?.[1];
  const age = Number(/^\d{1,9}$/.exec(headers.get('age') ?? '')?.[0] ?? 0);
  if (seconds !== undefined) return (Number(seconds) - age) * 1000;
  const expires = headers.get('expires');
  if (expires === null) return DEFAULT_TTL_MS;
  const at = Date.parse(expires);
  // An invalid date means that the response is stale already (RFC 9111, 5.3).
  return Number.isNaN(at) ? 0 : at - now;
}
