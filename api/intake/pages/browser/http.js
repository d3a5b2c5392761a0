/** Calls the API of the form to which the address of this page belongs. */

const [, , slug, , inPath] = location.pathname.split('/').map(decodeURIComponent);
const API = `/api/pnm/public/${encodeURIComponent(slug)}/`;
const TOKEN = '[\\w-]{1,200}';

export const HOME = `/apply/${encodeURIComponent(slug)}`;
/** Token at the end of the address. */
export const tokenInPath = inPath ?? '';
/** Returns the token behind `#` (`name=token`), which browsers never send to a server. */
export const tokenInFragment = (name) => new RegExp(`^#${name}=(${TOKEN})$`).exec(location.hash)?.[1];
export const statusAddress = (token) => `${HOME}/status/${encodeURIComponent(token)}`;

/** There was no answer, or none of our API. The request may have been carried out. */
export class Unreachable extends Error {}

/** The API has refused the request. */
export class Refused extends Error {
  constructor({ status, headers }, { code, detail, errors }) {
    super(detail);
    this.code = code;
    this.status = status;
    this.errors = errors ?? {};
    this.seconds = Number(headers.get('Retry-After')) || 60;
  }
}

const TIMEOUT_MS = 20_000;

/** Timeout for a large file on a slow connection. */
const UPLOAD_TIMEOUT_MS = 300_000;

/** @throws Refused, Unreachable */
export const call = (method, path, body) =>
  ask(path, TIMEOUT_MS, {
    method,
    headers: body === undefined ? {} : { 'Content-Type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
  });

/** @throws Refused, Unreachable */
export function upload(path, file) {
  const body = new FormData();
  body.append('file', file);
  return ask(path, UPLOAD_TIMEOUT_MS, { method: 'POST', body });
}

async function ask(path, timeoutMs, request) {
  let response;
  let answer;
  try {
    response = await fetch(API + path, {
      // Sends no cookies: a person who is signed in here applies like anyone else.
      credentials: 'omit',
      cache: 'no-store',
      ...request,
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await response.text();
    answer = text === '' ? null : JSON.parse(text);
  } catch {
    throw new Unreachable();
  }
  if (response.ok) return answer;
  if (response.status >= 500 || typeof answer?.code !== 'string') throw new Unreachable();
  throw new Refused(response, answer);
}

/** Waits for a time, or until the device is online again. */
export const pause = (milliseconds) =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      removeEventListener('online', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    addEventListener('online', end);
  });

const FIRST_MS = 1_000;
const MAX_WAIT_MS = 15_000;

/**
 * Retries until the server answers.
 * @param waits called after each attempt without an answer
 * @throws Refused
 */
export async function untilReached(work, waits) {
  for (let wait = FIRST_MS; ; wait = Math.min(wait * 2, MAX_WAIT_MS)) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      waits();
      await pause(wait);
    }
  }
}

const DAY_SECONDS = 86_400;

/** Formats the local time at which to try again. */
export function timeIn(seconds) {
  const style = {
    hour: '2-digit',
    minute: '2-digit',
    ...(seconds > DAY_SECONDS / 2 && { day: 'numeric', month: 'long' }),
  };
  // Rounds up to the next full minute, so that the time is never too early.
  return new Date(Date.now() + (seconds + 59) * 1000).toLocaleString('en', style);
}
