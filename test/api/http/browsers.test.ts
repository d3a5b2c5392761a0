/** Tests cookies from other sites, CORS and the security headers of answers. */
import { z } from 'zod';
import { get, post, type Route } from '../../../api/http/routes.js';
import { config } from '../../../config.js';
import { anApi } from '../../support/apiWorld.js';

const Thing = z.object({ name: z.string().optional() });
const ok = z.literal('ok');
const answer = () => Promise.resolve('ok' as const);

const scratch: Route[] = [
  get('/things/', { summary: 'Read', access: 'public', throttle: [], response: ok }, answer),
  post('/things/', { summary: 'Write', access: 'public', throttle: [], body: Thing, response: ok }, answer),
  post('/hook/', { summary: 'Hook', access: 'public', throttle: [], rawBody: true, response: ok }, answer),
];

const api = anApi({ routes: scratch });

const COOKIE = { Cookie: 'access_token=abc' };
const EVIL = 'https://evil.example';

/** Sends a request with exactly these headers. */
async function send(method: string, path: string, headers: Record<string, string>, body?: string) {
  const response = await fetch(api.url + path, { method, headers, ...(body === undefined ? {} : { body }) });
  return { status: response.status, headers: response.headers, text: await response.text() };
}
const write = async (headers: Record<string, string>, body = '{}') =>
  (await send('POST', '/things/', { 'Content-Type': 'application/json', ...headers }, body)).status;

test.each<[string, Record<string, string>, number]>([
  ['the frontend may write with cookies', { Origin: config.frontendUrl }, 200],
  ['the frontend may be another site', { Origin: config.frontendUrl, 'Sec-Fetch-Site': 'cross-site' }, 200],
  ['the API own pages may write with cookies', { Origin: config.backendUrl, 'Sec-Fetch-Site': 'same-origin' }, 200],
  ['another site may not', { Origin: EVIL }, 403],
  ['another site may not, with any other header', { Origin: EVIL, 'Sec-Fetch-Site': 'same-origin' }, 403],
  ['a page without an origin may not', { Origin: 'null' }, 403],
  ['a cross-site request that hides its origin may not', { 'Sec-Fetch-Site': 'cross-site' }, 403],
  ['a browser that vouches for the same origin may', { 'Sec-Fetch-Site': 'same-origin' }, 200],
  ['a program that no page could be may', {}, 200],
])('with cookies: %s', async (_name, headers, status) => {
  expect(await write({ ...COOKIE, ...headers })).toBe(status);
});

test('a form post with cookies and without an Origin header is refused', async () => {
  const form = { ...COOKIE, 'Content-Type': 'application/x-www-form-urlencoded' };
  expect(JSON.parse((await send('POST', '/things/', form, 'name=a')).text)).toMatchObject({
    code: 'cross_site_request',
  });
  expect((await send('POST', '/things/', COOKIE)).status).toBe(403);
});

test('another site cannot log a person in, even before a cookie exists', async () => {
  expect(await write({ Origin: EVIL })).toBe(403);
});

test('a request with a bearer token and no cookie is accepted from any origin', async () => {
  expect(await write({ Authorization: 'Bearer abc', Origin: EVIL })).toBe(200);
});

test('a request with a cookie and a bearer token is refused from another site', async () => {
  expect(await write({ ...COOKIE, Authorization: 'Bearer abc', Origin: EVIL })).toBe(403);
});

test('the server does not check the origin of a GET or of a signed webhook', async () => {
  expect((await send('GET', '/things/', { ...COOKIE, Origin: EVIL })).status).toBe(200);
  expect((await send('POST', '/hook/', { Origin: EVIL }, 'signed')).status).toBe(200);
});

test('CORS lets the frontend in with credentials and refuses every other origin', async () => {
  const preflight = (origin: string) =>
    send('OPTIONS', '/things/', { Origin: origin, 'Access-Control-Request-Method': 'POST' });
  const ours = await preflight(config.frontendUrl);
  expect(ours.status).toBe(204);
  expect(ours.headers.get('access-control-allow-origin')).toBe(config.frontendUrl);
  expect(ours.headers.get('access-control-allow-credentials')).toBe('true');
  expect((await preflight(EVIL)).headers.get('access-control-allow-origin')).toBeNull();
});

test('errors carry the CORS headers, so that the frontend can read them', async () => {
  const { headers } = await send('GET', '/nowhere/', { Origin: config.frontendUrl });
  expect(headers.get('access-control-allow-origin')).toBe(config.frontendUrl);
});

test('answers forbid storing, sniffing and framing, and do not name the server software', async () => {
  const { headers } = await send('GET', '/things/', {});
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  expect(headers.get('x-powered-by')).toBeNull();
});

test('the docs page loads everything from this server', async () => {
  const page = await send('GET', '/api/docs/', {});
  expect(page.status).toBe(200);
  expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
  const loaded = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address as string);
  for (const address of loaded.filter((each) => each.startsWith('/api/docs/')))
    expect([address, (await send('GET', address, {})).status]).toEqual([address, 200]);
  expect(loaded.filter((address) => !address.startsWith('/'))).toEqual([]);
});

test('the docs page answers without a trailing slash and only to read methods', async () => {
  expect((await send('GET', '/api/docs', {})).status).toBe(200);
  expect((await send('POST', '/api/docs/', {})).status).toBe(405);
  expect((await send('GET', '/api/docs/package.json', {})).status).toBe(404);
});
