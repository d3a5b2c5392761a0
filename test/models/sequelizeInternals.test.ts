/** The internals of Sequelize that `models/database/sequelizeInternals.ts` uses: an upgrade that changes one fails here. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { Sequelize } from 'sequelize';
import { config } from '../../config.js';
import { currentScope, isInTransaction, sequelize } from '../../models/database/connection.js';
import {
  closeIdleConnections,
  driver,
  poolUse,
  releaseConnection,
  acquireConnection,
} from '../../models/database/sequelizeInternals.js';
import { allModels, registeredModel } from '../../models/database/model/defineModel.js';
import { firstRow } from '../../models/database/rows.js';
import { inTenant } from '../../models/database/tenancy.js';
import { Region } from '../../models/organizations/Region.js';
import { asOwner, closeOwner } from '../support/owner.js';
import { countStatements } from '../support/statements.js';
import { aWorld, type World } from '../support/world.js';

let world: World;
let other: World;

beforeAll(async () => {
  [world, other] = [await aWorld({ members: 1 }), await aWorld({ members: 1 })];
});
afterAll(async () => {
  await sequelize.close();
  await closeOwner();
});

const backend = async () => (await firstRow<{ pid: number }>('SELECT pg_backend_pid() AS pid'))?.pid;

test('a server that ends a connection together with its handshake ends no process', async () => {
  const message = (type: string, body: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeInt32BE(body.length + 4);
    return Buffer.concat([Buffer.from(type), length, body]);
  };
  const server = createServer((socket) =>
    socket.once('data', () =>
      socket.end(
        Buffer.concat([
          message('R', Buffer.alloc(4)),
          message('Z', Buffer.from('I')),
          message('E', Buffer.from('SFATAL\0C57P01\0Mterminating connection\0\0')),
        ]),
      ),
    ),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const pool = new Sequelize(`postgres://x:x@127.0.0.1:${port}/x`, {
    dialect: 'postgres',
    dialectModule: driver,
    logging: false,
  });
  await expect(pool.authenticate()).rejects.toThrow();
  await pool.close();
  server.close();
});

test('a connection is acquired and released, and the pool reports it', async () => {
  await closeIdleConnections(sequelize);
  const connection = await acquireConnection(sequelize);
  expect(poolUse(sequelize)).toEqual({ open: 1, inUse: 1, waiting: 0 });
  expect((await connection.query('SELECT 7 AS n')).rows).toEqual([{ n: 7 }]);
  releaseConnection(sequelize, connection);
  expect(poolUse(sequelize)).toEqual({ open: 1, inUse: 0, waiting: 0 });
  await closeIdleConnections(sequelize);
  expect(poolUse(sequelize).open).toBe(0);
});

test('calls that wait for a connection are counted', async () => {
  const acquired = await Promise.all(Array.from({ length: config.DATABASE_POOL }, () => acquireConnection(sequelize)));
  const late = acquireConnection(sequelize);
  await new Promise(setImmediate);
  const use = poolUse(sequelize);
  for (const connection of acquired) releaseConnection(sequelize, connection);
  releaseConnection(sequelize, await late);
  expect(use).toEqual({ open: acquired.length, inUse: acquired.length, waiting: 1 });
});

test('a closed connection is not handed out again', async () => {
  const lost = await acquireConnection(sequelize);
  await lost.end();
  releaseConnection(sequelize, lost);
  const next = await acquireConnection(sequelize);
  expect(next).not.toBe(lost);
  expect((await next.query('SELECT 7 AS n')).rows).toEqual([{ n: 7 }]);
  releaseConnection(sequelize, next);
});

test('a model sends its statements on the transaction of its call, also when two are open at once', async () => {
  const names = ({ organizationId }: World) =>
    inTenant(organizationId, async () => {
      const before = await backend();
      const found = await Region.findAll();
      expect([await backend(), currentScope().transaction.connection]).toEqual([before, expect.anything()]);
      return found.map(({ organization_id }) => organization_id);
    });
  const [own, theirs] = await Promise.all([names(world), names(other)]);
  expect([new Set(own), new Set(theirs)]).toEqual([new Set([world.organizationId]), new Set([other.organizationId])]);
});

test('a rollback undoes the writes of a model', async () => {
  const work = inTenant(world.organizationId, async () => {
    await Region.create({ organization_id: world.organizationId, name: 'Undone' });
    throw new Error('planned');
  });
  await expect(work).rejects.toThrow('planned');
  expect(await asOwner(`SELECT FROM regions WHERE name = 'Undone'`)).toEqual([]);
});

test('a model that is used after the end of its transaction is refused, and no transaction is open', async () => {
  const within = await inTenant(world.organizationId, async () => AsyncLocalStorage.snapshot());
  expect(within(isInTransaction)).toBe(false);
  await expect(within(() => Region.findAll())).rejects.toThrow('ended has been called on this transaction');
});

test('a new connection sends no statement of its own, which a pooler would lose', async () => {
  const once = () => countStatements(() => inTenant(world.organizationId, () => Region.findByPk(world.regionId)));
  await closeIdleConnections(sequelize);
  const cold = await once();
  expect([cold, await once()]).toEqual([3, 3]);
});

test('a class that extends a model has rows of its own, and knows their changes', async () => {
  await inTenant(world.organizationId, async () => {
    const region = await Region.findByPk(world.regionId);
    expect([region instanceof Region, region?.name, region?.version]).toEqual([true, 'North', 1]);
    region?.set({ name: 'North', states: ['OH'] });
    expect([region?.changed(), region?.previous('states')]).toEqual([['states'], []]);
  });
});

test("SQL of a model refers to its row by the table's name", async () => {
  const sent: string[] = [];
  await inTenant(world.organizationId, () => registeredModel(Region).findAll({ logging: (sql) => sent.push(sql) }));
  expect(sent[0]).toContain('FROM "regions" AS "regions"');
  expect(allModels().length).toBeGreaterThan(0);
});

test('no other file uses internals of Sequelize', () => {
  const reaching = [
    'models',
    'api',
    'activities',
    'services',
    'bin',
    'gateways',
    'development',
    'test/support',
  ].flatMap((room) =>
    readdirSync(path.resolve(__dirname, '../..', room), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => path.join(room, name))
      .filter((file) => /connectionManager|useCLS/.test(readFileSync(path.resolve(__dirname, '../..', file), 'utf8'))),
  );
  expect(reaching).toEqual([path.join('models', 'database', 'sequelizeInternals.ts')]);
});
