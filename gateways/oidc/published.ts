/** What providers publish about themselves and their keys, kept in this process for as long as their headers say (RFC 9111). */
import { guardedFetch } from '../http/guardedFetch.js';

/** Whatever the headers say: a provider that forbids keeping is still asked once a minute at most. */
const SHORTEST_MS = 60_000;
const LONGEST_MS = 24 * 3_600_000;
/** Without a word about it. */
const USUAL_MS = 5 * 60_000;
/** Keys are asked for anew, for a key that is not among them, no more often than this: whoever forges may try for ever. */
const ANEW_MS = 60_000;

const MOST_KEPT = 500;
const LARGEST_CHARACTERS = 65_536;

interface Kept {
  text: string;
  type: string;
  etag: string | null;
  freshUntilMs: number;
  askedAtMs: number;
}

const kept = new Map<string, Kept>();
const underWay = new Map<string, Promise<Kept | Response>>();

/**
 * A published document.
 * @param revision of whose settings it is asked for: with other settings nothing is left of what was kept. null asks now.
 * @throws what `guardedFetch` throws
 */
export async function readPublished(revision: string | null, url: string): Promise<Response> {
  const key = `${revision}\n${url}`;
  const known = kept.get(key);
  if (revision !== null && known && known.freshUntilMs > Date.now()) return answerOf(known);
  return answerOf(await ask(revision === null ? null : key, url));
}

/** The same, because it has not what is looked for: asked for again, unless that was done a moment ago. */
export async function readPublishedAnew(revision: string | null, url: string): Promise<Response> {
  const key = `${revision}\n${url}`;
  const known = kept.get(key);
  if (known && Date.now() - known.askedAtMs < ANEW_MS) return answerOf(known);
  return answerOf(await ask(revision === null ? null : key, url));
}

const answerOf = (found: Kept | Response): Response =>
  found instanceof Response
    ? found.clone()
    : new Response(found.text, { status: 200, headers: { 'Content-Type': found.type } });

/** Of several at once, one asks. */
function ask(key: string | null, url: string): Promise<Kept | Response> {
  if (key === null) return guardedFetch(url, { headers: ACCEPT });
  const waiting = underWay.get(key);
  if (waiting) return waiting;
  const asking = fetchAndKeep(key, url).finally(() => underWay.delete(key));
  underWay.set(key, asking);
  return asking;
}

const ACCEPT = { Accept: 'application/json' };

async function fetchAndKeep(key: string, url: string): Promise<Kept | Response> {
  const known = kept.get(key);
  const condition = known?.etag ? { 'If-None-Match': known.etag } : {};
  const response = await guardedFetch(url, { headers: { ...ACCEPT, ...condition } });
  if (known && response.status === 304) return keep(key, { ...known, ...timesOf(response.headers) });
  if (response.status !== 200) return response;
  const text = await response.clone().text();
  if (text.length > LARGEST_CHARACTERS) return response;
  const type = response.headers.get('content-type') ?? 'application/json';
  return keep(key, { text, type, etag: response.headers.get('etag'), ...timesOf(response.headers) });
}

function keep(key: string, entry: Kept): Kept {
  kept.delete(key);
  kept.set(key, entry);
  const [oldest] = kept.keys();
  if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
  return entry;
}

function timesOf(headers: Headers): Pick<Kept, 'freshUntilMs' | 'askedAtMs'> {
  const now = Date.now();
  const wanted = Math.min(Math.max(lifetimeOf(headers, now), SHORTEST_MS), LONGEST_MS);
  return { askedAtMs: now, freshUntilMs: now + wanted };
}

/** Milliseconds. `max-age` goes before `Expires` (RFC 9111, 5.3). */
function lifetimeOf(headers: Headers, now: number): number {
  const control = (headers.get('cache-control') ?? '').toLowerCase();
  if (/\bno-(?:store|cache)\b/.test(control)) return 0;
  const seconds = /\bmax-age\s*=\s*"?(\d{1,9})/.exec(control)?.[1];
  const age = Number(/^\d{1,9}$/.exec(headers.get('age') ?? '')?.[0] ?? 0);
  if (seconds !== undefined) return (Number(seconds) - age) * 1000;
  const expires = headers.get('expires');
  if (expires === null) return USUAL_MS;
  const at = Date.parse(expires);
  // A date that is none means that it is over (RFC 9111, 5.3).
  return Number.isNaN(at) ? 0 : at - now;
}
