import { apiWorld, expectNowhere } from '../../support/apiWorld.js';
import { aFoundation, type Foundation } from '../../support/foundation.js';
import { aPaidGift, aWaitingGift } from '../../support/giving.js';
import { countStatements } from '../../support/statements.js';

const { world, other, as } = apiWorld();
let foundation: Foundation;
let paid: string;
let waiting: string;
beforeAll(async () => {
  foundation = await aFoundation(world);
  waiting = await aWaitingGift(world, foundation);
  paid = await aPaidGift(world, foundation, { is_anonymous: true });
});

const list = async (query = '') => (await as(foundation.editor).get(`/api/foundation/donations/${query}`)).body;
const today = new Date().toISOString().slice(0, 10);

test('editors list gifts, newest first, with filters', async () => {
  expect((await list()).results.map(({ id }: { id: string }) => id)).toEqual([paid, waiting]);
  const { results } = await list(
    `?status=completed&campaign=${foundation.campaignId}&fund=${foundation.fundId}&from=${today}&to=${today}`,
  );
  expect(results).toMatchObject([
    {
      id: paid,
      status: 'completed',
      amount_cents: 5_000,
      fee_cents: 175,
      net_cents: 4_825,
      is_anonymous: true,
      first_name: 'Ada',
    },
  ]);
  expect(await list(`?donor=${results[0].donor}`)).toMatchObject({ count: 1 });
  expect(await list('?to=2020-01-01')).toMatchObject({ count: 0 });
  expect(await list('?from=2100-01-01')).toMatchObject({ count: 0 });
  expect(await countStatements(() => list())).toBeLessThanOrEqual(4);
});

test('an unknown status is refused on status, and a period must not end before it begins', async () => {
  const refused = (query: string) => as(foundation.editor).get(`/api/foundation/donations/${query}`);
  expect(await refused('?status=paid')).toMatchObject({
    status: 400,
    body: { errors: { status: [expect.any(String)] } },
  });
  expect(await refused('?from=2026-02-01&to=2026-01-01')).toMatchObject({
    status: 400,
    body: { errors: { to: [expect.any(String)] } },
  });
});

test('a gift shows what happened to its money, and a gift of another foundation is unknown', async () => {
  const path = (id: string) => `/api/foundation/donations/${id}/`;
  expect((await as(foundation.editor).get(path(paid))).body).toMatchObject({
    id: paid,
    tax_year: new Date().getUTCFullYear(),
    entries: [{ kind: 'received', amount_cents: 5_000 }],
  });
  const theirs = await aPaidGift(other, await aFoundation(other));
  await expectNowhere(theirs, (id) => as(foundation.editor).get(path(id)));
  await expectNowhere(theirs, (id) => as(foundation.admin).post(`${path(id)}refund/`, { reason: 'Because.' }));
});

test.each(['admin', 'officer', 'member'] as const)('the %s of the organization reads no gifts', async (name) => {
  expect((await as(world[name]).get('/api/foundation/donations/')).status).toBe(403);
});
