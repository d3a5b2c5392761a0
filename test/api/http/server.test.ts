/** Tests the whole server: liveness, readiness, and a stop that finishes the requests in flight. */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { get, type Route } from '../../../api/http/routes.js';
import { startServer } from '../../../api/server.js';
import { Client } from '../../support/api.js';
import { anApi } from '../../support/apiWorld.js';
import { asOwner } from '../../support/owner.js';

const scratch: Route[] = [
  get('/slow/', { summary: 'Slow', access: 'public', throttle: [], response: z.literal('done') }, async () => {
    await sleep(300);
    return 'done' as const;
  }),
];

const api = anApi();

const ready = async () => {
  const { status, body } = await new Client(api.url).get('/readyz/');
  return { http: status, ...body };
};

test('the liveness check answers that the process is alive', async () => {
  expect(await new Client(api.url).get('/healthz/')).toMatchObject({ status: 200, body: { status: 'alive' } });
});

test('the server is ready with database, migrations and Temporal', async () => {
  expect(await ready()).toEqual({
    http: 200,
    status: 'ready',
    checks: { database: 'ok', migrations: 'ok', temporal: 'ok' },
  });
});

test('a migration that was not applied makes the server unready and is named', async () => {
  const [newest] = await asOwner<{ name: string }>(
    'DELETE FROM schema_migrations WHERE name = (SELECT max(name) FROM schema_migrations) RETURNING name',
  );
  expect(await ready()).toMatchObject({
    http: 503,
    status: 'not_ready',
    checks: { database: 'ok', migrations: 'failed' },
  });
  await asOwner('INSERT INTO schema_migrations (name) VALUES ($1)', [newest?.name]);
});

test('a definition that was not applied makes the server unready until it is applied', async () => {
  const name = 'organizations/gives_access';
  const [applied] = await asOwner<{ checksum: string }>(
    'DELETE FROM schema_definitions WHERE name = $1 RETURNING checksum',
    [name],
  );
  const insert = (checksum?: string) =>
    asOwner('INSERT INTO schema_definitions (name, checksum, runtime) VALUES ($1, $2, $3)', [name, checksum, 'a role']);
  await insert('of another release');
  expect(await ready()).toMatchObject({ http: 503, checks: { database: 'ok', migrations: 'failed' } });
  await insert(applied?.checksum);
  expect(await ready()).toMatchObject({ http: 200, status: 'ready' });
});

test('a stopping server finishes the request in flight and accepts no new one', async () => {
  const server = await startServer({ port: 0, routes: scratch });
  const client = new Client(`http://127.0.0.1:${server.port}`);
  const inFlight = client.get('/slow/');
  await sleep(100);
  const stopped = server.stop(5);
  await sleep(50);
  await expect(client.get('/slow/')).rejects.toThrow();
  expect((await inFlight).body).toBe('done');
  await stopped;
});

test('a request that never ends does not delay the stop beyond the grace period', async () => {
  const server = await startServer({
    port: 0,
    routes: [
      get('/never/', { summary: 'Never', access: 'public', throttle: [] }, () => new Promise<void>(() => undefined)),
    ],
  });
  const inFlight = new Client(`http://127.0.0.1:${server.port}`).get('/never/');
  const failed = expect(inFlight).rejects.toThrow();
  await sleep(100);
  await server.stop(0.2);
  await failed;
});

test('a port in use is an error at start', async () => {
  await expect(startServer({ port: Number(new URL(api.url).port) })).rejects.toThrow('EADDRINUSE');
});
