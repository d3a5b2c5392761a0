/** How the console is served: its headers, caching and encodings, and what answers when it has no page. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import express from 'express';
import { consolePages } from '../../../api/http/console/pages.js';
import { errorHandler, notFound } from '../../../api/http/errorHandler.js';
import { config } from '../../../config.js';

const { frontendUrl } = config;
const folder = mkdtempSync(path.join(os.tmpdir(), 'console-'));
let servers: http.Server[] = [];

beforeAll(() => {
  mkdirSync(path.join(folder, 'assets'));
  writeFileSync(path.join(folder, 'index.html'), '<!doctype html><title>Console</title>');
  writeFileSync(path.join(folder, 'assets/main-a1b2.js'), 'plain');
  writeFileSync(path.join(folder, 'assets/main-a1b2.js.br'), 'as brotli');
  writeFileSync(path.join(folder, 'assets/main-a1b2.js.gz'), 'as gzip');
});
afterEach(async () => {
  Object.assign(config, { frontendUrl });
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  servers = [];
});
afterAll(() => rmSync(folder, { recursive: true }));

/** @param place folder of the build @returns sends a request without decoding its answer */
async function serving(place = folder) {
  const app = express().use(consolePages(['/invoices/{subject}', '/', '/{page}'], place), notFound, errorHandler);
  const server = app.listen(0);
  servers.push(server);
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  return (at: string, headers: Record<string, string> = {}, method = 'GET') =>
    new Promise<{ status: number; headers: http.IncomingHttpHeaders; text: string }>((resolve, reject) => {
      const request = http.request({ port, path: at, headers, method, agent: false }, (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => (text += chunk.toString()));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
      });
      request.once('error', reject).end();
    });
}

test('every screen and every mailed page is the same page, which is never stored and loads only own files', async () => {
  const get = await serving();
  for (const at of [
    '/console',
    '/console/',
    '/console/processes/abc',
    '/auth/login',
    '/auth/sso/callback?code=x',
    '/account/security',
  ]) {
    const { status, headers, text } = await get(at);
    expect([at, status, headers['cache-control'], text]).toEqual([
      at,
      200,
      'no-store',
      '<!doctype html><title>Console</title>',
    ]);
    const policy = headers['content-security-policy'] as string;
    for (const rule of ["default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'"])
      expect(policy.split('; ')).toContain(rule);
    expect(policy).not.toContain('unsafe');
    expect(headers['referrer-policy']).toBe('no-referrer');
  }
  expect((await get('/console/', {}, 'POST')).status).toBe(405);
});

test('a hashed file is immutable and sent in the best encoding that the client accepts', async () => {
  const get = await serving();
  const cases = [
    ['gzip, deflate, br', 'br', 'as brotli'],
    ['gzip', 'gzip', 'as gzip'],
    ['br;q=0, gzip', 'gzip', 'as gzip'],
    ['identity', undefined, 'plain'],
  ] as const;
  for (const [accepted, encoding, expected] of cases) {
    const { headers, text } = await get('/console/assets/main-a1b2.js', { 'Accept-Encoding': accepted });
    expect([headers['content-encoding'], text]).toEqual([encoding, expected]);
    expect(headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': expect.stringContaining('javascript'),
      vary: expect.stringContaining('Accept-Encoding'),
    });
  }
});

test('a file of an older release is not found, and neither is anything outside of the build', async () => {
  const get = await serving();
  for (const name of ['main-old.js', '..%2Findex.html', '..%5Cindex.html', 'main-a1b2.js%00'])
    expect([name, (await get(`/console/assets/${name}`)).status]).toEqual([name, 404]);
});

test('pages of notifications redirect below the console where mails link to this origin, and only there', async () => {
  const elsewhere = await serving();
  expect((await elsewhere('/invoices/1')).status).toBe(404);
  Object.assign(config, { frontendUrl: config.backendUrl });
  const get = await serving();
  for (const at of [
    '/invoices/1?late=true',
    '/',
    '/money-cases',
    '/foundation/money-cases/1',
    '/settings/notifications',
  ]) {
    const { status, headers } = await get(at);
    expect([status, headers.location]).toEqual([302, `/console${at}`]);
  }
  expect((await get('/nowhere')).status).toBe(404);
  expect((await get('/api/invoices/')).status).toBe(404);
});

test('without a build, the addresses of the console are not found', async () => {
  const get = await serving(path.join(folder, 'none'));
  expect((await get('/console/')).status).toBe(404);
});
