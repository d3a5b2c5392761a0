/** What the same person asks for at the same time, and what that does to nobody else. */
import pg from 'pg';
import { config } from '../../config.js';
import { sequelize } from '../../models/database/connection.js';
import { readInBatch } from '../../models/database/readBatch.js';
import { withRequestLimits, requesterOf } from '../../models/database/connectionQuota.js';
import { inPlatform } from '../../models/database/tenancy.js';
import { closeOwner } from '../support/owner.js';
import { countStatements } from '../support/statements.js';
import { aWorld, type World } from '../support/world.js';

let world: World;
let other: World;

beforeAll(async () => {
  [world, other] = [await aWorld({ members: 1 }), await aWorld({ members: 1 })];
  // A new connection says more than what is asked.
  await Promise.all(
    Array.from({ length: config.tenantQuota }, () => withRequestLimits(world.organizationId, () => inPlatform(aTurn))),
  );
});
afterAll(() => Promise.all([sequelize.close(), closeOwner()]));

const aTurn = () => new Promise((resolve) => setImmediate(resolve));

/** Opened as by `who`, who is in this tenant. */
const opening = (tenant: World, who: string) => () => ({
  text: `SELECT set_config('app.organization_id', $1, true), $2::text AS who`,
  values: [tenant.organizationId, who],
  prepared: true,
});
const seen = `SELECT (SELECT app.org_id()) AS tenant, (SELECT count(*)::int FROM chapters WHERE organization_id = app.org_id()) AS chapters, $1::int AS n`;
const ask = (tenant: World, who: string, n: unknown, isLookUp = true, text = seen) =>
  readInBatch(
    opening(tenant, who),
    { text, values: [n], prepared: true },
    requesterOf(tenant.organizationId),
    isLookUp,
  );

/** Takes all connections that the tenant may have; others wait. @returns what gives them back */
async function takeAll(tenant: World): Promise<() => Promise<void>> {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  let held = 0;
  const holders = Array.from({ length: config.tenantQuota }, () =>
    withRequestLimits(tenant.organizationId, () =>
      inPlatform(async () => {
        held += 1;
        await released;
      }),
    ),
  );
  while (held < holders.length) await aTurn();
  return async () => {
    release();
    await Promise.all(holders);
  };
}

test('look-ups of one person in one turn are one message, each with its own answer', async () => {
  let found: Awaited<ReturnType<typeof ask>>[] = [];
  const work = async () => (found = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map((n) => ask(world, 'me', n))));
  expect(await countStatements(work)).toBe(1);
  expect(found.map(([, row]) => row)).toEqual(
    [1, 2, 3, 4, 5, 6, 7, 8].map((n) => ({ tenant: world.organizationId, chapters: 2, n })),
  );
  expect(found.every(([opened]) => opened?.['who'] === 'me')).toBe(true);
});

test('more than sixteen are several messages', async () => {
  const many = Array.from({ length: 40 }, (_, n) => n);
  const work = async () =>
    expect(await Promise.all(many.map(async (n) => (await ask(world, 'me', n))[1]?.['n']))).toEqual(many);
  expect(await countStatements(work)).toBe(3);
});

test('whoever asks as somebody else goes alone, and sees their own tenant', async () => {
  const people: [World, string][] = [
    [world, 'me'],
    [world, 'my brother'],
    [other, 'me'],
  ];
  const work = async () => {
    const found = await Promise.all(people.flatMap(([tenant, who]) => [ask(tenant, who, 1), ask(tenant, who, 2)]));
    expect(found.map(([opened, row]) => [opened?.['who'], row?.['tenant'], row?.['n']])).toEqual(
      people.flatMap(([{ organizationId }, who]) => [1, 2].map((n) => [who, organizationId, n])),
    );
  };
  expect(await countStatements(work)).toBe(3);
});

test('lists that find a connection go alone; those that wait for one go together', async () => {
  const work = async (giveBack = async () => undefined as void) => {
    const found: ReturnType<typeof ask>[] = [];
    for (const n of [1, 2, 3, 4]) {
      found.push(ask(world, 'me', n, false));
      // As requests come: each in a turn of its own.
      await aTurn();
    }
    await giveBack();
    expect((await Promise.all(found)).map(([, row]) => row?.['n'])).toEqual([1, 2, 3, 4]);
  };
  expect(await countStatements(work)).toBe(4);
  const giveBack = await takeAll(world);
  expect(await countStatements(() => work(giveBack))).toBe(1);
});

test('one that cannot be answered takes nobody along', async () => {
  const asked = [ask(world, 'me', 1), ask(world, 'me', 0, true, 'SELECT 1 / $1::int AS n'), ask(world, 'me', 3)];
  const [first, failed, third] = await Promise.allSettled(asked);
  expect(first).toMatchObject({ status: 'fulfilled', value: [{ who: 'me' }, { n: 1 }] });
  expect(failed).toMatchObject({ status: 'rejected', reason: { code: '22012' } });
  expect(third).toMatchObject({ status: 'fulfilled', value: [{ who: 'me' }, { n: 3 }] });
});

test('none of them can write', async () => {
  const write = `INSERT INTO regions (organization_id, name) VALUES (app.org_id(), $1::int::text)`;
  const [failed] = await Promise.allSettled([ask(world, 'me', 1, true, write), ask(world, 'me', 2)]);
  expect(failed).toMatchObject({ status: 'rejected', reason: { code: '25006' } });
});

test('all hear of a connection that is lost', async () => {
  const end = 'SELECT pg_terminate_backend(pg_backend_pid()) AS n, $1::int';
  const found = await Promise.allSettled([ask(world, 'me', 1, true, end), ask(world, 'me', 2)]);
  expect(found.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});

test.each([true, false])('nobody joins those who got no connection (look-ups: %s)', async (isLookUp) => {
  const { connectionManager } = sequelize as unknown as {
    connectionManager: { getConnection: () => Promise<unknown> };
  };
  const refused = jest
    .spyOn(connectionManager, 'getConnection')
    .mockRejectedValue(Object.assign(new Error('There is none.'), { code: 'ETIMEDOUT' }));
  const asked = await Promise.allSettled([ask(world, 'me', 1, isLookUp), ask(world, 'me', 2, isLookUp)]);
  refused.mockRestore();
  expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect((await ask(world, 'me', 3, isLookUp))[1]).toMatchObject({ n: 3 });
});

test('a look at each after any order of askers shows what each may see', async () => {
  const client = new pg.Client({ connectionString: process.env['DATABASE_OWNER_URL'] });
  await client.connect();
  try {
    const { rows } = await client.query('SELECT organization_id, count(*)::int AS n FROM chapters GROUP BY 1');
    const chaptersOf = new Map(rows.map(({ organization_id, n }) => [organization_id, n]));
    const askers = Array.from({ length: 200 }, (_, n) => (n * 7919) % 3);
    const found = await Promise.all(askers.map((asker, n) => ask(asker ? world : other, `p${asker}`, n, n % 2 === 0)));
    for (const [n, [opened, row]] of found.entries()) {
      const { organizationId } = askers[n] ? world : other;
      expect([opened?.['who'], row]).toEqual([
        `p${askers[n]}`,
        { tenant: organizationId, chapters: chaptersOf.get(organizationId), n },
      ]);
    }
  } finally {
    await client.end();
  }
});
