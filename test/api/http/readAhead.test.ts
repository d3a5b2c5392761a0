/** Compares the speculative read, which runs in one message with the look-up of the actor, with the ordinary read. */
import http from 'node:http';
import express from 'express';
import { z } from 'zod';
import { createMessageClasses } from '../../../api/http/expressPrototypes.js';
import { withoutRule } from '../../../api/http/policy.js';
import { type SingleMessageRead, get, type Route } from '../../../api/http/routes.js';
import { allRoutes } from '../../../api/routes.js';
import { currentOrganization } from '../../../models/database/rows.js';
import { Client, type RunningApi, startApi } from '../../support/api.js';
import { asOwner } from '../../support/owner.js';
import { countStatements } from '../../support/statements.js';
import { aMember, anInvoice } from '../../support/world.js';
import { impersonating } from '../identity/impersonation.support.js';
import { apiWorld } from '../../support/apiWorld.js';

const rule = withoutRule('a probe');

const stage = apiWorld();

/** A route with the speculative read `text`, which answers with its column `a`. */
function probe(path: string, text: string, answer?: SingleMessageRead<undefined, undefined>['answer']): Route {
  const show = (_: unknown, row: Record<string, unknown> | undefined) => JSON.stringify({ a: row?.['a'] });
  return get(
    path,
    {
      summary: 'A probe',
      access: 'tenant',
      rule,
      response: z.object({ a: z.unknown() }),
      singleMessageRead: { statement: () => ({ text, values: [] }), answer: answer ?? show },
    },
    async () => ({ a: `by the handler, for ${currentOrganization()}` }),
  );
}

const PROBES = [
  probe('/tenant/', 'SELECT count(*)::int AS a FROM chapters'),
  probe('/writes/', `UPDATE chapters SET name = 'gone' RETURNING 1 AS a`),
  probe('/fails/', 'SELECT 1 / (SELECT count(*) FROM users WHERE false) AS a'),
  probe('/undecided/', 'SELECT 1 AS a', () => null),
];

let probes: RunningApi;
let ordinary: RunningApi;
const at = (api: RunningApi, { token }: { token: string }) => new Client(api.url, { token });
const withoutAhead = (route: Route): Route => {
  const { singleMessageRead: _, ...spec } = route.spec;
  return { ...route, spec };
};

beforeAll(async () => {
  probes = await startApi({ routes: PROBES });
  ordinary = await startApi({ routes: allRoutes.map(withoutAhead) });
  const { organizationId, chapterId } = stage.world;
  for (let n = 0; n < 6; n += 1) {
    const { membershipId } = await aMember(organizationId, chapterId);
    const invoice = await anInvoice(stage.world, { chapterId, membershipId, cents: 100 * n, dueIn: n });
    if (n % 2) await asOwner(`UPDATE chapter_invoices SET status = 'overdue' WHERE id = $1`, [invoice]);
  }
});
afterAll(() => Promise.all([probes.close(), ordinary.close()]));

const paths = () => {
  const { organizationId, chapterId } = stage.world;
  const roster = `/api/chapters/${chapterId}/members/`;
  const invoices = `/api/organizations/${organizationId}/invoices/`;
  return [
    `/api/organizations/${organizationId}/`,
    roster,
    `${roster}?page=2&page_size=3&ordering=-name&role=member`,
    `${roster}?page=99`,
    `${roster}?search=a`,
    `${roster}?pledge_class=${encodeURIComponent(`'; DROP TABLE users; -- \\ $1 E'\\''`)}`,
    `${roster}?surprise=1`,
    invoices,
    `${invoices}?status=overdue&ordering=-due_date`,
    `${invoices}?page=2&page_size=2&ordering=balance_due_cents&payer_type=member`,
    `${invoices}?search=${encodeURIComponent(`Du%_es'\\`)}`,
    `${invoices}?membership=${stage.world.member.membershipId}`,
    `/api/chapters/${stage.other.chapterId}/members/`,
    `/api/organizations/${stage.other.organizationId}/`,
    `/api/organizations/${stage.other.organizationId}/invoices/`,
    '/api/chapters/not-an-id/members/',
  ];
};

test('a speculative read answers the same as the ordinary read', async () => {
  const { admin, regionalAdmin, officer, otherOfficer, member } = stage.world;
  for (const person of [admin, regionalAdmin, officer, otherOfficer, member]) {
    for (const path of paths()) {
      const [short, long] = [await at(stage.api, person).get(path), await at(ordinary, person).get(path)];
      expect([path, short.status, short.body]).toEqual([path, long.status, long.body]);
    }
  }
});

const LET_IN = ['undergrad', 'associate', 'alumni', 'active_alumni', 'lifetime_alumni'];
const NOT_LET_IN = ['pnm', 'disaffiliated', 'inactive'];

test.each([...LET_IN, ...NOT_LET_IN])(
  'a route open to all members answers the same both ways to a person whose status is %s',
  async (status) => {
    const { organizationId, chapterId } = stage.world;
    const person = await aMember(organizationId, chapterId, 'member', status);
    const path = `/api/organizations/${organizationId}/`;
    const [short, long] = [await at(stage.api, person).get(path), await at(ordinary, person).get(path)];
    expect([short.status, short.body]).toEqual([long.status, long.body]);
    expect(short.status === 200).toBe(LET_IN.includes(status));
  },
);

test('a speculative read is open to an impersonating admin until the impersonation ends', async () => {
  const { client } = await impersonating(stage.api.url, stage.world);
  const path = `/api/organizations/${stage.world.organizationId}/`;
  expect((await client.get(path)).status).toBe(200);
  await asOwner('DELETE FROM impersonations WHERE organization_id = $1', [stage.world.organizationId]);
  expect(await client.get(path)).toMatchObject({ status: 401, body: { code: 'session_ended' } });
});

test('a speculative read is one message and sees its own tenant only', async () => {
  const client = at(probes, stage.world.admin);
  expect(await countStatements(() => client.get('/tenant/'))).toBe(1);
  expect((await client.get('/tenant/')).body).toEqual({ a: 2 });
});

test("a member's request for their organization is one message", async () => {
  const { organizationId, member } = stage.world;
  const read = () => at(stage.api, member).get(`/api/organizations/${organizationId}/`);
  expect(await countStatements(read)).toBe(1);
  expect((await read()).status).toBe(200);
});

test('the handler answers in its own transaction when the speculative read does not settle the request', async () => {
  const { body } = await at(probes, stage.world.admin).get('/undecided/');
  expect(body).toEqual({ a: `by the handler, for ${stage.world.organizationId}` });
});

test('a speculative read cannot write', async () => {
  expect((await at(probes, stage.world.admin).get('/writes/')).status).toBeGreaterThanOrEqual(500);
  expect(await asOwner(`SELECT FROM chapters WHERE name = 'gone'`)).toEqual([]);
});

test('a failed speculative read leaves its connection usable', async () => {
  const client = at(probes, stage.world.admin);
  for (let n = 0; n < 20; n += 1) expect((await client.get('/fails/')).status).toBe(500);
  for (let n = 0; n < 20; n += 1) expect((await client.get('/tenant/')).body).toEqual({ a: 2 });
});

test('an ended session gets nothing from a speculative read', async () => {
  const leaver = await aMember(stage.world.organizationId, stage.world.chapterId, 'officer');
  const client = at(probes, leaver);
  expect((await client.get('/tenant/')).status).toBe(200);
  await asOwner('UPDATE sessions SET revoked_at = now() WHERE user_id = $1', [leaver.userId]);
  expect(await client.get('/tenant/')).toMatchObject({ status: 401, body: { code: 'session_ended' } });
});

test('concurrent speculative reads of several people each answer their own caller', async () => {
  const { world, other, api } = stage;
  const leaver = await aMember(world.organizationId, world.chapterId);
  const moved = await aMember(world.organizationId, world.chapterId);
  await asOwner('UPDATE sessions SET revoked_at = now() WHERE user_id = $1', [leaver.userId]);
  await asOwner('UPDATE users SET disabled_at = now() WHERE id = $1', [moved.userId]);
  const people = [world.admin, other.admin, world.member, leaver, moved, other.member];
  const requests = people.flatMap((person) =>
    [world, other, world, other].map(({ organizationId, chapterId }, n) => ({
      person,
      path: n < 2 ? `/api/organizations/${organizationId}/` : `/api/chapters/${chapterId}/members/`,
    })),
  );
  const answer = async (one: RunningApi, { person, path }: (typeof requests)[number]) => {
    const { status, body } = await at(one, person).get(path);
    return [path, status, body];
  };
  const alone: unknown[] = [];
  for (const one of requests) alone.push(await answer(ordinary, one));
  for (const _ of [1, 2, 3]) {
    const together = [...requests, ...requests, ...requests].map((one) => answer(api, one));
    expect(await Promise.all(together)).toEqual([...alone, ...alone, ...alone]);
  }
});

test('requests and responses are created with the prototypes that Express would set', async () => {
  const app = express();
  app.get('/', (request, response) => {
    const [requests, responses] = [Object.getPrototypeOf(request), Object.getPrototypeOf(response)];
    response.json({ requests: requests === app.request, responses: responses === app.response, ip: request.ip });
  });
  const born: boolean[] = [];
  const server = http.createServer(createMessageClasses(app), (request, response) => {
    born.push(Object.getPrototypeOf(request) === app.request, Object.getPrototypeOf(response) === app.response);
    app(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const answer = await (await fetch(`http://127.0.0.1:${port}/`)).json();
  server.close();
  expect(born).toEqual([true, true]);
  expect(answer).toEqual({ requests: true, responses: true, ip: '127.0.0.1' });
});
