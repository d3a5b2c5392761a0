/** Tests the whole server: liveness, readiness, and a stop that finishes the requests in flight. */
import { z } from 'zod';
import { get, type Route } from '../../../api/http/routes.js';
import { startServer } from '../../../api/server.js';
import { Client } from '../../support/api.js';
import { anApi } from '../../support/apiWorld.js';
import { asOwner } from '../../support/owner.js';

/** A route whose requests stay open until they are released. */
function aHeldRoute() {
  let arrived: () => void = () => undefined;
  let release: () => void = () => undefined;
  const arrival = new Promise<void>((resolve) => (arrived = resolve));
  const released = new Promise<void>((resolve) => (release = resolve));
  const route: Route = get(
    '/held/',
    { summary: 'Held', access: 'public', throttle: [], response: z.literal('done') },
    async () => {
      arrived();
      await released;
      return 'done' as const;
    },
  );
  return { route, arrival, release };
}

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
  const { route, arrival, release } = aHeldRoute();
  const server = await startServer({ port: 0, routes: [route] });
  const client = new Client(`http://127.0.0.1:${server.port}`);
  const inFlight = client.get('/held/');
  await arrival;
  const stopped = server.stop(60);
  await expect(client.get('/held/')).rejects.toThrow();
  release();
  expect((await inFlight).body).toBe('done');
  await stopped;
});

test('a request that never ends does not delay the stop beyond the grace period', async () => {
  const { route, arrival } = aHeldRoute();
  const server = await startServer({ port: 0, routes: [route] });
  const inFlight = new Client(`http://127.0.0.1:${server.port}`).get('/held/');
  const failed = expect(inFlight).rejects.toThrow();
  await arrival;
  await server.stop(0.2);
  await failed;
});

test('a port in use is an error at start', async () => {
  await expect(startServer({ port: Number(new URL(api.url).port) })).rejects.toThrow('EADDRINUSE');
});
