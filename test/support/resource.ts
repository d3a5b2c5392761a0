/** The common behaviour of plain resources, tested by one call. */
import { randomUUID } from 'node:crypto';
import { allRoutes } from '../../api/routes.js';
import { asOwner } from './owner.js';
import { countStatements } from './statements.js';
import type { World } from './world.js';
import { type ApiWorld, expectNowhere } from './apiWorld.js';

const PEOPLE = ['admin', 'regionalAdmin', 'officer', 'member'] as const;
type Someone = (typeof PEOPLE)[number];

interface Promised {
  stage: ApiWorld;
  /** The path as in its routes: `/api/organizations/:organization_id/regions`. */
  address: string;
  /** The subject type of a row in the audit log. */
  subject: string;
  mayRead: readonly Someone[];
  mayWrite: readonly Someone[];
  /** Returns a body that creates a row of this organization, a different one for each number. */
  body(world: World, n: number): Record<string, unknown> | Promise<Record<string, unknown>>;
  /** Returns a change of any such row, a different one for each number. */
  edit(n: number): Record<string, unknown>;
  /** A value that is refused, and the field that the error names; undefined leaves a field out. */
  bad?: [change: Record<string, unknown>, field: string][];
}

/** All routes below the address, so that a later route is tested too. */
const routesBelow = (address: string) => allRoutes.filter(({ path }) => path.startsWith(`${address}/`));

export function behavesAsAResource(promised: Promised): void {
  const { stage, address, subject, mayRead, mayWrite, bad = [] } = promised;
  const routes = routesBelow(address);
  const has = (method: string, end = ':id/') =>
    routes.some((r) => r.method === method && r.path === `${address}/${end}`);
  const path = (id = '', organizationId = stage.world.organizationId) =>
    `${address.replace(':organization_id', organizationId)}/${id && `${id}/`}`;
  let counter = 0;
  const body = async (world = stage.world) => promised.body(world, (counter += 1));
  const edit = () => promised.edit((counter += 1));
  const create = async (world = stage.world) => {
    const made = await stage.as(world.admin).post(path('', world.organizationId), await body(world));
    expect(made).toMatchObject({ status: 201, body: { id: expect.any(String) } });
    return made.body;
  };
  const as = (someone: Someone) => stage.as(stage.world[someone]);

  test('the resource has routes', () => expect(routes.length).toBeGreaterThan(1));

  test.each(routes.map(({ method, path }) => [method, path] as const))(
    '%s %s needs a signed-in person',
    async (method, where) => {
      const there = where.replace(':organization_id', stage.world.organizationId).replace(':id', randomUUID());
      expect(await stage.nobody.send(method.toUpperCase(), there)).toMatchObject({ status: 401 });
    },
  );

  test.each(PEOPLE)('%s can do with the resource exactly what its rule grants', async (someone) => {
    const { id } = await create();
    const [reads, writes] = [mayRead.includes(someone), mayWrite.includes(someone)];
    expect([someone, (await as(someone).get(path())).status]).toEqual([someone, reads ? 200 : 403]);
    if (has('get')) expect((await as(someone).get(path(id))).status).toBe(reads ? 200 : 403);
    expect((await as(someone).post(path(), await body())).status).toBe(writes ? 201 : 403);
    if (has('patch')) expect((await as(someone).patch(path(id), edit())).status).toBe(writes ? 200 : 403);
    if (has('delete')) expect((await as(someone).delete(path(id))).status).toBe(writes ? 204 : 403);
  });

  test('the resource and its rows do not exist for another organization', async () => {
    const { organizationId } = stage.other;
    const { id } = await create(stage.other);
    const { id: own } = await create();
    const good = await body();
    await expectNowhere(organizationId, (it) => stage.admin.get(path('', it)));
    await expectNowhere(organizationId, (it) => stage.admin.post(path('', it), good));
    if (has('get')) await expectNowhere(id, (it) => stage.admin.get(path(it)));
    if (has('get')) await expectNowhere(organizationId, (it) => stage.admin.get(path(own, it)));
    if (has('patch')) await expectNowhere(id, (it) => stage.admin.patch(path(it), edit()));
    if (has('patch')) await expectNowhere(organizationId, (it) => stage.admin.patch(path(own, it), edit()));
    if (has('delete')) await expectNowhere(id, (it) => stage.admin.delete(path(it)));
    if (has('delete')) await expectNowhere(organizationId, (it) => stage.admin.delete(path(own, it)));
  });

  test('a row is created as requested, shown, changed and written to the audit log', async () => {
    const given = await body();
    const { status, body: made } = await stage.admin.post(path(), given);
    expect([status, made]).toEqual([201, expect.objectContaining(given)]);
    const { body: list } = await stage.admin.get(path());
    const rows: unknown[] = Array.isArray(list) ? list : list.results;
    expect(rows).toContainEqual(made);
    if (has('get')) expect((await stage.admin.get(path(made.id))).body).toEqual(made);
    const verbs = ['created'];
    if (has('patch')) {
      const given = edit();
      const changed = await stage.admin.patch(path(made.id), { ...given, version: made.version });
      expect(changed).toMatchObject({ status: 200, body: { ...given, version: made.version + 1 } });
      const { updated_at } = changed.body;
      expect(changed.body).toEqual({ ...made, ...given, updated_at, version: made.version + 1 });
      verbs.push('updated');
    }
    if (has('delete')) {
      expect(await stage.admin.delete(path(made.id))).toMatchObject({ status: 204 });
      expect(await stage.admin.delete(path(made.id))).toMatchObject({ status: 404 });
      verbs.push('deleted');
    }
    const entries = await asOwner<{ action: string }>(
      'SELECT action FROM audit_log WHERE subject_id = $1 ORDER BY id',
      [made.id],
    );
    expect(entries.map(({ action }) => action)).toEqual(verbs.map((verb) => `${subject}.${verb}`));
  });

  if (has('patch')) {
    test('a change with an old version is refused', async () => {
      const made = await create();
      const changed = (await stage.admin.patch(path(made.id), edit())).body;
      const late = await stage.admin.patch(path(made.id), { ...edit(), version: made.version });
      expect(late).toMatchObject({ status: 409, body: { code: 'stale_version' } });
      const { body: list } = await stage.admin.get(path());
      expect(Array.isArray(list) ? list : list.results).toContainEqual(changed);
    });

    test('an unknown field of a change is refused by name', async () => {
      const { id } = await create();
      const answer = await stage.admin.patch(path(id), { ...edit(), no_such_field: 1 });
      expect(answer).toMatchObject({ status: 400, body: { errors: { no_such_field: ['Unknown field.'] } } });
    });
  }

  test('an unknown field of a new row, and an unknown parameter of the list, are refused by name', async () => {
    const made = await stage.admin.post(path(), { ...(await body()), no_such_field: 1 });
    expect(made).toMatchObject({ status: 400, body: { errors: { no_such_field: ['Unknown field.'] } } });
    const list = await stage.admin.get(`${path()}?no_such_field=1`);
    expect(list).toMatchObject({ status: 400, body: { errors: { no_such_field: ['Unknown parameter.'] } } });
  });

  test.each(bad)('a new row with %j is refused by name', async (wrong, field) => {
    const answer = await stage.admin.post(path(), { ...(await body()), ...wrong });
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([400, expect.arrayContaining([field])]);
  });

  test('the list is one statement inside the request, however many rows it shows', async () => {
    await create();
    const before = await countStatements(() => stage.admin.get(path()));
    for (let n = 0; n < 3; n += 1) await create();
    expect([before, await countStatements(() => stage.admin.get(path()))]).toEqual([3, 3]);
  });
}
