/** The API of the form to which the address of this page belongs. */

const [, , slug, , inPath] = location.pathname.split('/').map(decodeURIComponent);
const API = `/api/pnm/public/${encodeURIComponent(slug)}/`;
const TOKEN = '[\\w-]{1,200}';

export const HOME = `/apply/${encodeURIComponent(slug)}`;
/** The one that the address ends with. */
export const tokenInPath = inPath ?? '';
/** What stands behind `#`, which no server is ever told: `name=token`. */
export const tokenInFragment = (name) => new RegExp(`^#${name}=(${TOKEN})$`).exec(location.hash)?.[1];
export const statusAddress = (token) => `${HOME}/status/${encodeURIComponent(token)}`;

/** Nobody has answered, or not as our API answers. What was asked may have happened. */
export class Unreachable extends Error {}

/** Our API says no. */
export class Refused extends Error {
  constructor({ status, headers }, { code, detail, errors }) {
    super(detail);
    this.code = code;
    this.status = status;
    this.errors = errors ?? {};
    this.seconds = Number(headers.get('Retry-After')) || 60;
  }
}

const LONGEST_MS = 20_000;

/** A large file on a slow line. */
const LONGEST_UPLOAD_MS = 300_000;

/** @throws Refused, Unreachable */
export const call = (method, path, body) =>
  ask(path, LONGEST_MS, {
    method,
    headers: body === undefined ? {} : { 'Content-Type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
  });

/** @throws Refused, Unreachable */
export function upload(path, file) {
  const body = new FormData();
  body.append('file', file);
  return ask(path, LONGEST_UPLOAD_MS, { method: 'POST', body });
}

async function ask(path, longest, request) {
  let response;
  let answer;
  try {
    response = await fetch(API + path, {
      // Whoever is signed in here applies as anybody does.
      credentials: 'omit',
      cache: 'no-store',
      ...request,
      signal: AbortSignal.timeout(longest),
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

/** @returns after some time, or as soon as the device is connected again */
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
const MOST_MS = 15_000;

/**
 * Asks until somebody answers.
 * @param waits is called each time that nobody does
 * @throws Refused
 */
export async function untilReached(work, waits) {
  for (let wait = FIRST_MS; ; wait = Math.min(wait * 2, MOST_MS)) {
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

/** When to come back, as clocks here say it. */
export function timeIn(seconds) {
  const style = {
    hour: '2-digit',
    minute: '2-digit',
    ...(seconds > DAY_SECONDS / 2 && { day: 'numeric', month: 'long' }),
  };
  // The next full minute: never too early.
  return new Date(Date.now() + (seconds + 59) * 1000).toLocaleString('en', style);
}
