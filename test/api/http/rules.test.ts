/** Tests that no route can skip authorization: a tenant's route names its rule and answers nothing unchecked. */
import { z } from 'zod';
import { allPolicies, by, policy, withoutRule } from '../../../api/http/policy.js';
import { authorize, nationalAdmin } from '../../../api/http/policy.js';
import { get, post, type Route } from '../../../api/http/routes.js';
import { allRoutes } from '../../../api/routes.js';
import { rows } from '../../../models/database/rows.js';
import { Client, type RunningApi, startApi } from '../../support/api.js';
import { asOwner } from '../../support/owner.js';
import { apiWorld } from '../../support/apiWorld.js';

const probePolicy = policy('probe', { read: [nationalAdmin], write: [nationalAdmin] });
const access = 'tenant' as const;
const response = z.string();
const summary = 'A probe';
const rename = () => rows(`UPDATE regions SET name = name || ' unasked'`);

const PROBES = [
  get('/asks/', { summary, access, rule: by(probePolicy, 'read', 'write'), response }, async ({ actor }) => {
    authorize(actor, probePolicy, 'write');
    return 'asked';
  }),
  post('/forgets/', { summary, access, rule: by(probePolicy, 'write') }, async () => void (await rename())),
  post('/asks-another/', { summary, access, rule: by(probePolicy, 'write') }, async ({ actor }) => {
    authorize(actor, probePolicy, 'read');
    await rename();
  }),
  get(
    '/ahead/',
    {
      summary,
      access,
      rule: by(probePolicy, 'read'),
      response,
      singleMessageRead: {
        statement: () => ({ text: `SELECT '"unasked"' AS a`, values: [] }),
        answer: (_, row) => String(row?.['a']),
      },
    },
    async () => 'unasked',
  ),
  get('/open/', { summary, access, rule: withoutRule('a probe'), response }, async () => 'open'),
];

const stage = apiWorld();
let probes: RunningApi;
beforeAll(async () => {
  probes = await startApi({ routes: PROBES });
});
afterAll(() => probes.close());
const admin = () => new Client(probes.url, { token: stage.world.admin.token });

test('a route that checks its rule answers those whom the rule admits and refuses others', async () => {
  expect(await admin().get('/asks/')).toMatchObject({ status: 200, body: 'asked' });
  expect((await new Client(probes.url, { token: stage.world.member.token }).get('/asks/')).status).toBe(403);
  expect((await admin().get('/open/')).status).toBe(200);
});

test.each(['/forgets/', '/asks-another/'])('%s does nothing and answers 500, even to an admin', async (path) => {
  expect((await admin().post(path)).status).toBe(500);
  expect(await asOwner(`SELECT FROM regions WHERE name LIKE '%unasked'`)).toEqual([]);
});

test('a speculative read of a route that does not check its rule shows nothing', async () => {
  expect((await admin().get('/ahead/')).status).toBe(500);
});

test('an API whose tenant route names no rule does not start', async () => {
  const silent: Route = get('/silent/', { summary, access, response }, async () => 'silent');
  await expect(startApi({ routes: [silent] })).rejects.toThrow('get /silent/ has no policy rule.');
});

test('every rule of a route is one of the policies that the matrix covers', () => {
  for (const { path, spec } of allRoutes) {
    if (!spec.rule || 'none' in spec.rule) continue;
    const { policy: named, actions } = spec.rule;
    expect([path, allPolicies().includes(named)]).toEqual([path, true]);
    for (const action of actions)
      expect([path, Object.keys(named.actions)]).toEqual([path, expect.arrayContaining([action])]);
  }
});
