/** Tests the request metrics: counted by route template, on a port that the public does not reach. */
import { z } from 'zod';
import { get, type Route } from '../../../api/http/routes.js';
import { allRoutes } from '../../../api/routes.js';
import { createThrottles } from '../../../api/http/throttles/throttles.js';
import { type MetricsServer, serveMetrics } from '../../../bin/serving/metricsServer.js';
import { config } from '../../../config.js';
import { inPlatform } from '../../../models/database/tenancy.js';
import { uuidv7 } from '../../../models/database/uuid.js';
import { Client } from '../../support/api.js';
import { apiWorld } from '../../support/apiWorld.js';
import { eventually } from '../../support/platform.js';
import { scrape } from '../../support/scrape.js';

const COUNT = 'membership_http_request_duration_seconds_count';

let metrics: MetricsServer;
let releaseSlow: (() => void) | undefined;

/** Answers when the test releases it. */
const slow: Route = get(
  '/slow/',
  { summary: 'Slow', access: 'public', throttle: [], response: z.literal('ok') },
  () => new Promise((resolve) => (releaseSlow = () => resolve('ok' as const))),
);
const limited: Route = get(
  '/limited/',
  { summary: 'Limited', access: 'public', throttle: ['auth'], response: z.literal('ok') },
  () => Promise.resolve('ok' as const),
);

config.THROTTLE_LIMITS = { auth: 1 };
const { api, world } = apiWorld({ routes: [...allRoutes, slow, limited], throttles: createThrottles() });
beforeAll(async () => {
  metrics = await serveMetrics(0);
});
afterAll(async () => {
  await metrics.close();
});

test('requests are counted by route template and status class', async () => {
  const officer = new Client(api.url, { token: world.officer.token });
  await officer.get(`/api/billing/remittances/${uuidv7()}/`);
  await officer.get(`/api/billing/remittances/${uuidv7()}/`);
  await officer.get('/api/billing/remittances/');
  const route = '/api/billing/remittances/:id/';
  const { value } = await scrape(metrics.port);
  expect(value(COUNT, { method: 'GET', route, status: '4xx' })).toBe(2);
  expect(value(COUNT, { method: 'GET', route: '/api/billing/remittances/', status: '2xx' })).toBe(1);
});

test('addresses without a route share one series, and unknown methods share another', async () => {
  const client = new Client(api.url);
  for (const path of ['/wp-admin/', `/api/${uuidv7()}/`]) await client.get(path);
  await client.send('PROPFIND', '/nowhere/');
  const { value } = await scrape(metrics.port);
  expect(value(COUNT, { method: 'GET', route: 'unmatched' })).toBe(2);
  expect(value(COUNT, { method: 'other', route: 'unmatched' })).toBe(1);
});

test('a request is in flight until its answer is sent, and a request whose caller disconnected is counted as aborted', async () => {
  const leaving = new AbortController();
  const aborted = fetch(`${api.url}/slow/`, { signal: leaving.signal }).catch(() => undefined);
  const inFlight = async () => (await scrape(metrics.port)).value('membership_http_requests_in_flight');
  await eventually(inFlight, (count) => count === 1);
  leaving.abort();
  await aborted;
  await eventually(inFlight, (count) => count === 0);
  releaseSlow?.();
  expect((await scrape(metrics.port)).value(COUNT, { route: '/slow/', status: 'aborted' })).toBe(1);
});

test('a throttled request is counted by its limit', async () => {
  const client = new Client(api.url);
  expect((await client.get('/limited/')).status).toBe(200);
  expect((await client.get('/limited/')).status).toBe(429);
  expect((await client.get('/limited/')).status).toBe(429);
  expect((await scrape(metrics.port)).value('membership_throttled_requests_total', { scope: 'auth' })).toBe(2);
});

test('the metrics show pool use, memory and the event loop', async () => {
  const before = await scrape(metrics.port);
  expect(before.value('membership_database_connections', { pool: 'main', state: 'in_use' })).toBe(0);
  const during = await inPlatform(() => scrape(metrics.port));
  expect(during.value('membership_database_connections', { pool: 'main', state: 'in_use' })).toBe(1);
  expect(during.value('membership_database_connections', { pool: 'direct', state: 'open' })).toBeGreaterThan(0);
  expect(during.value('membership_database_waiting', { pool: 'main' })).toBe(0);
  expect(during.value('process_resident_memory_bytes')).toBeGreaterThan(10_000_000);
  expect(during.value('nodejs_eventloop_lag_p99_seconds')).toBeDefined();
});

test('the metrics show how many calls wait for a connection', async () => {
  let release: () => void = () => undefined;
  const until = new Promise<void>((resolve) => (release = resolve));
  const holders = Array.from({ length: config.DATABASE_POOL + 3 }, () => inPlatform(() => until));
  const waiting = async () => (await scrape(metrics.port)).value('membership_database_waiting', { pool: 'main' });
  await eventually(waiting, (count) => count === 3);
  release();
  await Promise.all(holders);
  expect(await waiting()).toBe(0);
});

test('labels name neither tenants nor people nor rows', async () => {
  const { text } = await scrape(metrics.port);
  expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/);
  for (const secret of [world.slug, world.officer.email, 'wp-admin']) expect(text).not.toContain(secret);
});

test('the public port does not serve metrics, and the metrics port serves nothing else', async () => {
  expect((await new Client(api.url).get('/metrics')).status).toBe(404);
  const other = await fetch(`http://127.0.0.1:${metrics.port}/healthz/`);
  expect(other.status).toBe(404);
  const written = await fetch(`http://127.0.0.1:${metrics.port}/metrics`, { method: 'POST' });
  expect(written.status).toBe(404);
});

test('the metrics port listens on the loopback address by default', async () => {
  // All of 127/8 is this machine: a server that listens on all addresses would answer here.
  await expect(fetch(`http://127.0.0.2:${metrics.port}/metrics`)).rejects.toThrow('fetch failed');
});
